import { formatDecimal, invalid, type Log } from '../../kernel/index.ts'
import { termsOf } from '../fees.ts'
import type { AccountWish, VirtualAccount } from '../port.ts'
import { type Json, partOf, textOf, textsOf } from './fields.ts'
import { carryOut, isInUse } from './intents.ts'
import { customerOf, type KycLinkParts } from './kyc-link.ts'
import { currencyOf, railOf } from './names.ts'
import { refused } from './refused.ts'

export interface AccountParts extends KycLinkParts {
  readonly log: Log
}

/**
 * A bank account in the customer's name whose payments are delivered to the wallet. Errors: ASSET_NOT_SUPPORTED,
 * KYB_NOT_APPROVED, VALIDATION_ERROR (a rail that it does not take), RAMP_UNAVAILABLE.
 */
export async function openVirtualAccount(parts: AccountParts, wish: AccountWish): Promise<VirtualAccount> {
  const destination = { payment_rail: wish.blockchain, currency: currencyOf(wish), address: wish.walletAddress }
  const customer = await customerOf(parts, wish.kybReference)
  const path = `/customers/${customer}/virtual_accounts`
  const developerFee = await developerFeePercent(parts, wish.organizationId)
  const account = await carryOut(
    parts,
    {
      organizationId: wish.organizationId,
      kind: 'virtual_account',
      asked: [customer, wish.blockchain, wish.asset, wish.walletAddress, developerFee],
      isShared: false,
    },
    {
      async look(reference) {
        for await (const page of parts.client.pages(path)) {
          for (const one of page) {
            const isIt = reference === null ? isFor(one, destination) : one.id === reference
            if (isIt && !(await isInUse(parts.db, textOf(one, 'id') ?? ''))) return one
          }
        }
        return undefined
      },
      create: (key) =>
        parts.client.post(path, { source: { currency: 'usd' }, destination, developer_fee_percent: developerFee }, key),
    },
  ).catch((error: unknown) => refused(parts.log, error))
  return accountIn(account, wish)
}

function isFor(account: Json, asked: Readonly<Record<string, string>>): boolean {
  const destination = partOf(account, 'destination')
  const names = Object.keys(asked)
  return account.status === 'activated' && names.every((name) => same(textOf(destination, name), asked[name]))
}

/** Addresses come in any case. */
const same = (a: string | undefined, b: string | undefined) => a?.toLowerCase() === b?.toLowerCase()

function accountIn(account: Json, { rail }: AccountWish): VirtualAccount {
  const instructions = partOf(account, 'source_deposit_instructions')
  const rails = textsOf(instructions, 'payment_rails').map(railOf)
  const capabilities = (['ach', 'fedwire', 'swift'] as const).filter((one) => rails.includes(one))
  if (!capabilities.includes(rail)) throw invalid('rail', `must be one of ${capabilities.join(', ')}`)
  return {
    reference: textOf(account, 'id') ?? '',
    accountNumber: textOf(instructions, 'bank_account_number') ?? '',
    routingNumber: textOf(instructions, 'bank_routing_number') ?? '',
    bankName: textOf(instructions, 'bank_name') ?? '',
    capabilities: [rail, ...capabilities.filter((one) => one !== rail)],
  }
}

/** The developer's share of the fee, which the partner withholds for us; of a hundred. */
export async function developerFeePercent({ db }: Pick<AccountParts, 'db'>, organizationId: number): Promise<string> {
  const { feeBasisPoints, developerShareBasisPoints } = await termsOf(db, organizationId)
  return formatDecimal(BigInt(feeBasisPoints) * BigInt(developerShareBasisPoints), 6)
}
