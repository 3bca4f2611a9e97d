import { type ApprovalContent, approvalChallenge } from '@weir/verify'
import { type Address, POOL, USDC, type WorkOptions } from './hostile-work.ts'
import { createPasskey, ORIGIN, type Passkey, RELYING_PARTY } from './passkey.ts'

/** Two approvers, whose signatures an agent with these `APPROVERS` requires from 10 tokens on. */
export interface GenuineApprovals {
  readonly ada: Passkey
  readonly bob: Passkey
  readonly APPROVERS: object
  /** Options of work with signatures over the operation, which supplies 50 USDC except for what a test changes. */
  approved(operationId: number, by: readonly Passkey[], its?: Partial<ApprovalContent>): WorkOptions
}

/** `wallet` returns the address of the wallet that the operations move. */
export function genuineApprovals(wallet: () => Address): GenuineApprovals {
  const [ada, bob] = [createPasskey(), createPasskey()]
  const passkeys = ({ credentialId, publicKey }: Passkey) => [{ credentialId, publicKey }]
  const plannedAt = new Date()
  return {
    ada,
    bob,
    APPROVERS: {
      version: 1,
      organizationId: 7,
      relyingPartyId: RELYING_PARTY,
      origins: [ORIGIN],
      approvers: [
        { name: 'Ada', passkeys: passkeys(ada) },
        { name: 'Bob', passkeys: passkeys(bob) },
      ],
      rules: [{ amountAtLeast: '10', required: 2 }],
    },
    approved(operationId, by, its = {}) {
      const signed: ApprovalContent = {
        environment: 'sandbox',
        organizationId: 7,
        operationId,
        walletId: 1,
        walletAddress: wallet(),
        blockchain: 'polygon',
        type: 'SUPPLY',
        token: USDC,
        amount: 50_000_000n,
        venue: POOL,
        plannedAt,
        ...its,
      }
      const sent = { ...signed, amount: String(signed.amount), plannedAt: signed.plannedAt.toISOString() }
      const signatures = by.map((passkey) => passkey.approve(approvalChallenge(signed)))
      return { operationId, more: { approval: { content: sent, signatures } } }
    },
  }
}
