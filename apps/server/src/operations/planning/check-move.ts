import { stoppedStrategies } from '../../breakers/index.ts'
import type { Chain, SenderState } from '../../chains/index.ts'
import { callToJson } from '../../chains/index.ts'
import { assert, Failure } from '../../kernel/index.ts'
import {
  type PlanStep,
  readAllowance,
  revocationStep,
  type Strategy,
  strategyById,
  venueFor,
} from '../../venues/index.ts'
import { type Parts, tokenOf } from '../lifecycle/parts.ts'
import { exitStepOf, isOwnChoice, type Operation } from '../lifecycle/states/operation.ts'
import type { OperationTransaction } from '../lifecycle/states/transaction.ts'
import { findOperationalWalletContext, type OperationalWalletContext } from './find-operational-wallet.ts'
import { readClaim } from './plan-claim.ts'
import { requireWithinBounds } from './plan-supply.ts'
import { readPosition } from './plan-unwind.ts'
import { prepareSteps } from './prepare-steps.ts'
import { readBalanceFor } from './read-balance-for.ts'
import { redundantRequestReason } from './redundant-request.ts'

/** Whether an approved operation can still be executed exactly as it was approved (rule 10). */
export type MoveCheckResult =
  /** It can: its waiting steps, with the calls that the venue requires now and a gas limit for the first one. */
  | {
      readonly kind: 'valid'
      readonly steps: readonly PlanStep[]
      readonly gas: bigint
      readonly senderState: SenderState
      /** When the buffer that the plan was checked against was set. */
      readonly bufferSetAt: Date
    }
  /** It can, with different token approvals than planned: the allowance has changed. */
  | { readonly kind: 'approvals_changed'; readonly steps: readonly PlanStep[] }
  /** It never can again. */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** It cannot in the chain's current state; a later check may succeed. */
  | { readonly kind: 'temporarily_invalid'; readonly reason: string }
  /** The wallet cannot pay the network's fee. */
  | { readonly kind: 'insufficient_gas'; readonly reason: string }

/**
 * Checks the plan of an agent's operation again before its bytes are built: operational wallet, strategy and bounds,
 * balance, token approvals, and a simulation of all waiting steps. Until bytes of it are issued, the venue plans the
 * steps again for the same amount and strategy. If people approved it, that only decides whether there is still
 * something to do: its steps stay the ones that they saw. Error: CHAIN_UNAVAILABLE.
 */
export async function checkMove(parts: Parts, chain: Chain, operation: Operation): Promise<MoveCheckResult> {
  const [context, strategy] = await Promise.all([
    findMoveWallet(parts, operation),
    strategyById(parts.db, operation.strategyId),
  ])
  if (!context || !strategy) return permanentlyInvalid('The wallet is no longer an operational wallet.')
  const rejection = operation.type === 'SUPPLY' ? depositRejectionReason(operation, strategy, context) : undefined
  if (rejection) return permanentlyInvalid(rejection)
  const waiting = operation.transactions.filter(({ status }) => status === 'unsigned')
  const { address } = context.wallet
  const isUnissued = operation.transactions.every(isNeverIssued)
  // The evaluation that the change made due aborts it too, if no agent asks before.
  if (isUnissued && isOutdated(operation, context))
    return permanentlyInvalid('The buffer or the yield setting of the wallet was changed.')
  const isClaim = exitStepOf(operation) === 'claim'
  const need = operation.type === 'SUPPLY' ? operation.amount! + context.opWallet.buffer : 0n
  const [onChain, senderState, planned] = await Promise.all([
    readBalanceFor(chain, context, need),
    chain.senderState(address),
    isUnissued ? replan(chain, operation, strategy, context) : waiting,
  ])
  if (planned instanceof Failure) return { kind: 'temporarily_invalid', reason: planned.message }
  if (operation.type === 'SUPPLY' && onChain < operation.amount!) {
    return { kind: 'temporarily_invalid', reason: 'The wallet holds less than the amount.' }
  }
  if (operation.type === 'SUPPLY' && onChain - operation.amount! < context.opWallet.buffer) {
    return permanentlyInvalid('The wallet no longer holds that amount above its buffer.')
  }
  // The rebalancer withdraws to fill the buffer. If deposits have filled it, the withdrawal would be redeployed.
  const isUndone = operation.transactions.every(isWithoutLiveBytes)
  if (operation.type === 'UNWIND' && operation.origin === 'rebalancer' && isUndone && !isClaim) {
    const leaving = await isLeaving(parts, operation)
    if (onChain >= context.opWallet.buffer && !leaving) return permanentlyInvalid('The buffer is already full.')
    const request = { context, strategy, plannedAt: operation.createdAt, onChain, isLeaving: leaving }
    const covered =
      exitStepOf(operation) === 'request' ? await redundantRequestReason(parts, chain, request) : undefined
    if (covered !== undefined) return permanentlyInvalid(covered)
  }
  if (operation.type === 'REVOKE' && !planned) return permanentlyInvalid('The allowance is already gone.')
  if (!planned) {
    const reason = isClaim ? 'Nothing can be claimed now.' : 'The wallet has no position in the strategy.'
    return { kind: 'temporarily_invalid', reason }
  }
  const isApproved = operation.requiredApprovals > 0
  if (isUnissued && !isApproved && !hasSameStepKinds(planned, operation.transactions))
    return { kind: 'approvals_changed', steps: planned }
  const steps = waiting.map(({ kind, description, call }, index) =>
    isApproved
      ? { kind, description, call, ...(isUnissued && boundsOf(planned[index], kind)) }
      : { ...planned[index]!, description },
  )
  try {
    const { gas } = await prepareSteps(chain, address, steps, senderState)
    return { kind: 'valid', steps, gas: gas[0]!, senderState, bufferSetAt: context.opWallet.updatedAt }
  } catch (error) {
    if (error instanceof Failure && error.code === 'INSUFFICIENT_GAS')
      return { kind: 'insufficient_gas', reason: error.message }
    if (error instanceof Failure && error.code === 'SIMULATION_FAILED')
      return { kind: 'temporarily_invalid', reason: failureText(error) }
    throw error
  }
}

/** Whether the rebalancer chose the move for settings of its operational wallet that changed since. */
const isOutdated = ({ type, origin, createdAt }: Operation, { opWallet }: OperationalWalletContext): boolean =>
  origin === 'rebalancer' && type !== 'REVOKE' && createdAt < opWallet.updatedAt

/** Whether the organization withdraws everything from the strategy, because a circuit breaker is open. */
async function isLeaving({ db }: Parts, { organizationId, strategyId }: Operation): Promise<boolean> {
  return (await stoppedStrategies(db, organizationId)).get(strategyId)?.withdraw === true
}

const permanentlyInvalid = (reason: string): MoveCheckResult => ({ kind: 'invalid', reason })

async function findMoveWallet(
  parts: Parts,
  { organizationId, opWalletId }: Operation,
): Promise<OperationalWalletContext | undefined> {
  if (opWalletId === null) return undefined
  try {
    return await findOperationalWalletContext(parts.db, { organizationId, opWalletId })
  } catch (error) {
    if (error instanceof Failure && error.code === 'WALLET_NOT_FOUND') return undefined
    throw error
  }
}

/** Why the strategy no longer accepts this deposit; `undefined` if it does. */
function depositRejectionReason(
  operation: Operation,
  strategy: Strategy,
  { enabledChains }: OperationalWalletContext,
): string | undefined {
  assert(operation.amount !== null, 'a supply has an amount')
  if (strategy.status !== 'active') return 'The strategy no longer accepts deposits.'
  if (!enabledChains.includes(strategy.blockchain)) return `The wallet profile does not allow ${strategy.blockchain}.`
  try {
    requireWithinBounds(operation.amount, strategy)
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

/** How a venue says that its contracts accept less at the moment. */
const REFUSED_DEPOSITS: ReadonlySet<string> = new Set(['STRATEGY_NOT_ACTIVE', 'AMOUNT_OUT_OF_BOUNDS'])

/** What a step must return as the venue says now: the calls that people approved stay, and what they may cost is new. */
function boundsOf(planned: PlanStep | undefined, kind: PlanStep['kind']): Partial<PlanStep> {
  if (planned?.kind !== kind) return {}
  const { returnsAtLeast, returnsAtMost } = planned
  return {
    ...(returnsAtLeast !== undefined && { returnsAtLeast }),
    ...(returnsAtMost !== undefined && { returnsAtMost }),
  }
}

const isNeverIssued = ({ state }: OperationTransaction): boolean => state === 'planned'
/** None of it has landed or can land. */
const isWithoutLiveBytes = ({ state }: OperationTransaction): boolean => state === 'planned' || state === 'stale'

/**
 * The steps that the venue would plan now; a failure if its contracts do not accept the deposit; `undefined` if there is
 * no position to withdraw from.
 */
async function replan(
  chain: Chain,
  operation: Operation,
  strategy: Strategy,
  { wallet }: OperationalWalletContext,
): Promise<readonly PlanStep[] | Failure | undefined> {
  const { type, amount } = operation
  if (type === 'REVOKE') {
    const allowance = await readAllowance(chain, strategy, wallet.address)
    return allowance && allowance.amount > 0n ? [revocationStep(strategy)] : undefined
  }
  if (exitStepOf(operation) === 'claim') return (await readClaim(chain, strategy, wallet, amount))?.steps
  const venue = venueFor(strategy.protocol)
  const owner = wallet.address
  if (type === 'SUPPLY') {
    const { needsZeroAllowance } = tokenOf(chain, strategy.tokenAddress)
    try {
      return await venue.planSupply(chain, {
        strategy,
        owner,
        amount: amount!,
        needsZeroAllowance,
        isOwnChoice: isOwnChoice(operation),
      })
    } catch (error) {
      const isRefused = error instanceof Failure && REFUSED_DEPOSITS.has(error.code)
      if (isRefused) return error
      throw error
    }
  }
  const { shares, price } = await readPosition(chain, strategy, wallet)
  if (shares === 0n) return undefined
  return venue.planUnwind(chain, {
    strategy,
    owner,
    amount: amount ?? 'full',
    shares,
    ...(operation.origin === 'rebalancer' && { worth: venue.valueOf(shares, price) }),
  })
}

function hasSameStepKinds(steps: readonly PlanStep[], transactions: readonly OperationTransaction[]): boolean {
  return steps.length === transactions.length && steps.every(({ kind }, index) => kind === transactions[index]!.kind)
}

/** Whether the venue now requires a different call than the stored one, for example because the share price moved. */
export function isCallChanged({ call }: PlanStep, transaction: OperationTransaction): boolean {
  return callToJson(call) !== callToJson(transaction.call)
}

function failureText({ message, details }: Failure): string {
  const reason = details?.reason
  return typeof reason === 'string' ? `${message} ${reason}` : message
}
