import { isBlockchain, requireAddress } from '../chains/index.ts'
import { extendTransact, type Transact, type Tx, transactOn } from '../database/index.ts'
import type { Actor } from '../identity/index.ts'
import { AGENT_ERROR_LENGTH_MAX, assert, Failure, truncate, validationError } from '../kernel/index.ts'
import { registerWallet, type WalletRegistration } from '../wallets/index.ts'
import { type AgentAction, type AgentActionRow, agentActionFrom, readAction } from './action.ts'
import { endAction } from './advance-action.ts'
import type { AgentParts } from './parts.ts'
import { walletChallenge } from './wallet-challenge.ts'

export interface ActionSuccess {
  readonly organizationId: number
  readonly actionId: number
  readonly result: {
    readonly address: string
    readonly signatureId?: string | undefined
    /** The new key's signature over the challenge of the lease. */
    readonly signature?: string | undefined
  }
  readonly leaseToken?: string | undefined
  /** The agent's key, as the creator of the wallet. */
  readonly createdBy?: Actor
  /** Whether token and signature are required: they are for keys with permissions, not for older ones. */
  readonly needsProof?: boolean
}

export interface ActionFailure {
  readonly organizationId: number
  readonly actionId: number
  readonly error: string
  readonly leaseToken?: string | undefined
}

/**
 * An agent created the key: it becomes an organization wallet, in the same transaction. Only the agent that holds the
 * lease can report it; repeating the report with the same address returns the first response.
 *
 * Errors: NOT_FOUND; INVALID_ADDRESS and VALIDATION_ERROR (no proof, or a wrong one), after which the action stays
 * leased; LEASE_LOST (never leased, or by another agent since); CONFLICT (it ended with another report); FORBIDDEN (the
 * default profile no longer allows the chain).
 */
export async function reportActionSuccess(
  parts: AgentParts,
  input: ActionSuccess,
  transact: Transact<AgentAction> = transactOn(parts.db),
): Promise<AgentAction> {
  const { organizationId, actionId, result } = input
  const found = await readAction(parts.db, organizationId, actionId)
  const action = agentActionFrom(found)
  const { blockchain, label } = action.payload
  assert(isBlockchain(blockchain), 'an action names a served chain')
  const address = requireAddress(blockchain, result.address, 'result.address')
  if (action.status !== 'PENDING') return transact(async () => requireSameReport(action, address))
  requireLease(found, input)
  await requireProof(parts, found, { ...input, result: { ...result, address } })

  let reported: AgentAction | undefined
  const wallet = {
    scope: { organizationId, walletProfileId: null },
    walletAddress: address,
    blockchain,
    imported: { label },
    hasPlace: true as const,
    ...(input.createdBy && { createdBy: input.createdBy }),
  }
  const withReport = extendTransact(transact, async (tx, { wallet: { walletId } }: WalletRegistration) => {
    const row = await lockAction(tx, organizationId, actionId)
    if (row.status !== 'PENDING') {
      reported = requireSameReport(agentActionFrom(row), address)
      return reported
    }
    // A proof is of the challenge of one lease.
    const names = input.leaseToken !== undefined || result.signature !== undefined
    if (names && row.lease_token !== found.lease_token) throw new Failure('LEASE_LOST')
    const stored = { address, ...(result.signatureId === undefined ? {} : { signatureId: result.signatureId }) }
    const report = { event: 'succeeded', result: stored, walletId } as const
    reported = agentActionFrom(await endAction(tx, { organizationId, actionId }, report, parts.clock.now()))
    return reported
  })
  await registerWallet(parts, wallet, withReport)
  assert(reported, 'a wallet is registered with the action that requested it')
  return reported
}

/**
 * The interface lets an agent report without its token (spec 4.5), whose key then counts even if another agent has the
 * lease by now: the first key that is reported becomes the wallet. An agent that must prove its key must name its lease.
 */
function requireLease({ lease_count, lease_token }: AgentActionRow, { leaseToken, needsProof }: ActionSuccess): void {
  const isNamed = leaseToken === undefined ? lease_count > 0 && !needsProof : leaseToken === lease_token
  if (!isNamed) throw new Failure('LEASE_LOST')
}

/** Without the proof, anyone with a key of the organization could report their own address. */
async function requireProof(
  parts: AgentParts,
  row: AgentActionRow,
  { result, needsProof }: ActionSuccess,
): Promise<void> {
  const { address, signature } = result
  if (signature === undefined) {
    if (needsProof) throw validationError('result.signature', 'is required with this key')
    return
  }
  const blockchain = String(row.payload.blockchain)
  const chain = isBlockchain(blockchain) ? parts.chains.get(blockchain) : undefined
  if (!chain) throw validationError('blockchain', `${blockchain} is not served here`)
  if (!(await chain.isSignedBy(walletChallenge(row), signature, address)))
    throw validationError('result.signature', 'is not a signature of the challenge by the key of result.address', {
      reason: 'wrong_proof',
    })
}

/** The first response again, for the same address. Error: CONFLICT. */
function requireSameReport(action: AgentAction, address: string): AgentAction {
  if (action.status === 'SUCCESS' && action.result.address === address) return action
  throw new Failure('CONFLICT', { message: 'The action ended with a different report.' })
}

/**
 * An agent failed: the action ends. Errors: NOT_FOUND; LEASE_LOST (the lease passed to another agent, or without a
 * token the lease is ambiguous); CONFLICT (it succeeded).
 */
export async function reportActionFailure(
  parts: AgentParts,
  input: ActionFailure,
  transact: Transact<AgentAction> = transactOn(parts.db),
): Promise<AgentAction> {
  const { organizationId, actionId, leaseToken } = input
  const error = truncate(input.error, AGENT_ERROR_LENGTH_MAX)
  return transact(async (tx) => {
    const row = await lockAction(tx, organizationId, actionId)
    const { status, lease_count, lease_token } = row
    if (status === 'SUCCESS') throw new Failure('CONFLICT', { message: 'The action has already succeeded.' })
    const isNamed = leaseToken === undefined ? lease_count === 1 : leaseToken === lease_token
    if (!isNamed) throw new Failure('LEASE_LOST')
    if (status === 'FAILED') return agentActionFrom(row)
    const report = { event: 'failed', error } as const
    return agentActionFrom(await endAction(tx, { organizationId, actionId }, report, parts.clock.now()))
  })
}

async function lockAction(tx: Tx, organizationId: number, actionId: number): Promise<AgentActionRow> {
  await tx
    .selectFrom('agent_actions')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', actionId)
    .forUpdate()
    .execute()
  return readAction(tx, organizationId, actionId)
}
