import type { Chain, SenderState } from '../../chains/index.ts'
import { callToJson } from '../../chains/index.ts'
import { assert, Failure } from '../../kernel/index.ts'
import { type PlanStep, type Strategy, strategyById, venueFor } from '../../venues/index.ts'
import type { Operation } from '../lifecycle/operation.ts'
import { type Parts, tokenOf } from '../lifecycle/parts.ts'
import type { OperationTransaction } from '../lifecycle/transaction.ts'
import { findOperationalWalletContext, type OperationalWalletContext } from './find-operational-wallet.ts'
import { requireWithinBounds } from './plan-supply.ts'
import { readPosition } from './plan-unwind.ts'
import { prepareSteps } from './prepare-steps.ts'

/** Whether what was approved can still be carried out, as it was approved (rule 10). */
export type MoveCheckResult =
  /** It can: what waits, with calls as the venue wants them now and a gas limit for the first. */
  | {
      readonly kind: 'holds'
      readonly steps: readonly PlanStep[]
      readonly gas: bigint
      readonly facts: SenderState
      /** When the buffer that it was checked against was set. */
      readonly bufferSetAt: Date
    }
  /** It can, with other approvals than were planned: the allowance changed since. */
  | { readonly kind: 'other_approvals'; readonly steps: readonly PlanStep[] }
  /** It cannot, whatever happens next. */
  | { readonly kind: 'gone'; readonly why: string }
  /** It cannot as the chain is now; another look may say otherwise. */
  | { readonly kind: 'refused'; readonly why: string }
  /** The wallet cannot pay the network's fee. */
  | { readonly kind: 'poor'; readonly why: string }

/**
 * Checks the plan of an agent's operation again before bytes of it are built: operational wallet, strategy and bounds,
 * balance, approvals, and a simulation of everything that waits. As long as no byte of it was handed out the venue plans
 * its steps anew, for the same amount and strategy. Error: CHAIN_UNAVAILABLE.
 */
export async function checkMove(parts: Parts, chain: Chain, operation: Operation): Promise<MoveCheckResult> {
  const [monitored, strategy] = await Promise.all([
    findMoveWallet(parts, operation),
    strategyById(parts.db, operation.strategyId),
  ])
  if (!monitored || !strategy) return permanentlyInvalid('The wallet is watched over no longer.')
  const closed = operation.type === 'SUPPLY' ? depositRejectionReason(operation, strategy, monitored) : undefined
  if (closed) return permanentlyInvalid(closed)
  const waiting = operation.transactions.filter(({ status }) => status === 'unsigned')
  const { address } = monitored.wallet
  const isUntouched = operation.transactions.every(isNeverIssued)
  const [[onChain = 0n], facts, planned] = await Promise.all([
    chain.balances([{ owner: address, token: strategy.tokenAddress }]),
    chain.senderState(address),
    isUntouched ? replan(chain, operation, strategy, monitored) : waiting,
  ])
  if (operation.type === 'SUPPLY' && onChain < operation.amount!) {
    return { kind: 'refused', why: 'The wallet holds less than the amount.' }
  }
  if (operation.type === 'SUPPLY' && onChain - operation.amount! < monitored.opWallet.buffer) {
    return permanentlyInvalid('The wallet no longer holds that much above its buffer.')
  }
  // The rebalancer withdraws for the buffer alone; whatever came meanwhile would have to be deployed again.
  if (operation.type === 'UNWIND' && operation.origin === 'rebalancer' && isUntouched) {
    if (onChain >= monitored.opWallet.buffer) return permanentlyInvalid('The buffer is full without it.')
  }
  if (!planned) return { kind: 'refused', why: 'The wallet has no position there.' }
  if (isUntouched && !hasSameStepKinds(planned, operation.transactions))
    return { kind: 'other_approvals', steps: planned }
  const steps = waiting.map(({ description }, index) => ({ ...planned[index]!, description }))
  try {
    const { gas } = await prepareSteps(chain, address, steps, facts)
    return { kind: 'holds', steps, gas: gas[0]!, facts, bufferSetAt: monitored.opWallet.updatedAt }
  } catch (error) {
    if (error instanceof Failure && error.code === 'INSUFFICIENT_GAS') return { kind: 'poor', why: error.message }
    if (error instanceof Failure && error.code === 'SIMULATION_FAILED')
      return { kind: 'refused', why: failureText(error) }
    throw error
  }
}

const permanentlyInvalid = (why: string): MoveCheckResult => ({ kind: 'gone', why })

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

/** Why the strategy takes this deposit no more. */
function depositRejectionReason(
  operation: Operation,
  strategy: Strategy,
  { enabledChains }: OperationalWalletContext,
): string | undefined {
  assert(operation.amount !== null, 'a supply has an amount')
  if (strategy.status !== 'active') return 'The strategy does not take deposits any more.'
  if (!enabledChains.includes(strategy.blockchain)) return `The wallet profile does not allow ${strategy.blockchain}.`
  try {
    requireWithinBounds(operation.amount, strategy)
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

const isNeverIssued = ({ state }: OperationTransaction): boolean => state === 'planned'

/** The steps as the venue would plan them now; `undefined`: there is nothing to withdraw from. */
async function replan(
  chain: Chain,
  { type, amount }: Operation,
  strategy: Strategy,
  { wallet }: OperationalWalletContext,
): Promise<readonly PlanStep[] | undefined> {
  const venue = venueFor(strategy.protocol)
  const owner = wallet.address
  if (type === 'SUPPLY') {
    const { needsZeroAllowance } = tokenOf(chain, strategy.tokenAddress)
    return venue.planSupply(chain, { strategy, owner, amount: amount!, needsZeroAllowance })
  }
  const { shares } = await readPosition(chain, strategy, wallet)
  return shares === 0n ? undefined : venue.planUnwind(chain, { strategy, owner, amount: amount ?? 'full', shares })
}

function hasSameStepKinds(steps: readonly PlanStep[], transactions: readonly OperationTransaction[]): boolean {
  return steps.length === transactions.length && steps.every(({ kind }, index) => kind === transactions[index]!.kind)
}

/** Whether the venue wants other calls now than are stored: shares have another price, for example. */
export function isCallChanged({ call }: PlanStep, transaction: OperationTransaction): boolean {
  return callToJson(call) !== callToJson(transaction.call)
}

function failureText({ message, details }: Failure): string {
  const reason = details?.reason
  return typeof reason === 'string' ? `${message} ${reason}` : message
}
