import { baseUnits, type Verdict, venueAddressOf } from '@weir/verify'
import { checkApproval } from '../approvals/index.ts'
import type { ApprovalUse } from '../journal/index.ts'
import type { AgentTransaction } from '../service/work.ts'
import type { Parts } from './parts.ts'

interface Approved {
  readonly approvedBy: readonly string[]
  /** The step that the journal bound to the transaction; undefined where no approval is required. */
  readonly binding: ApprovalUse | undefined
}

type Verified = Extract<Verdict, { ok: true }>

/**
 * Checks the signed approvals of verified bytes, if the agent is configured with approvers, and binds this step of the
 * operation to the transaction. Returns the reason to refuse, or the names of the people who approved and what was bound.
 */
export async function checkApproved(
  parts: Parts,
  transaction: AgentTransaction,
  { meaning, moves }: Verified,
): Promise<{ readonly refused: string } | Approved> {
  const { approvers, allowList, environment, journal, clock } = parts
  if (approvers === undefined) return { approvedBy: [], binding: undefined }
  const { id, operationId, metadata, approval } = transaction
  const { blockchain, signer: walletAddress } = meaning
  const token = allowList.chains
    .find((chain) => chain.blockchain === blockchain)
    ?.tokens.find(({ symbol }) => symbol === metadata.token)
  const venue = venueAddressOf(allowList, meaning)
  if (token === undefined || venue === undefined) return { refused: 'UNKNOWN_VENUE: it is not on the list' }
  const type = metadata.type as 'SUPPLY' | 'UNWIND'
  const amount = baseUnits(metadata.amount, token.decimals) ?? 0n
  const verdict = await checkApproval(approvers, {
    content: {
      environment,
      operationId,
      walletId: metadata.walletId,
      walletAddress,
      blockchain,
      type,
      token: token.address,
      amount: type === 'UNWIND' && metadata.full === true ? 'all' : amount,
      venue,
    },
    token,
    // An approval of the token is judged as the supply that it prepares, and so is the one that resets it.
    moves: moves > amount ? moves : amount,
    sent: approval,
    now: clock.now().getTime(),
  })
  if (!verdict.ok) return { refused: verdict.reason }
  const { challenge, approvedBy } = verdict
  const binding = challenge === undefined ? undefined : { challenge, does: meaning.does }
  if (binding !== undefined && !journal.bindApproval(binding, id)) {
    return { refused: 'APPROVAL_USED: another transaction used the approval of this step' }
  }
  return { approvedBy, binding }
}
