import type { Chain, SenderFacts } from '../chains/index.ts'
import { callToJson } from '../chains/index.ts'
import { assert, Failure } from '../kernel/index.ts'
import { type Step, type Strategy, strategyById, venueFor } from '../venues/index.ts'
import { findMonitored, type Monitored } from './find-monitored.ts'
import type { Operation, OperationTransaction } from './operation.ts'
import { type Parts, tokenOf } from './parts.ts'
import { requireWithinBounds } from './plan-supply.ts'
import { readPosition } from './plan-unwind.ts'
import { prepareSteps } from './prepare-steps.ts'

/** Whether what was approved can still be carried out, as it was approved (money-rules 10). */
export type Verdict =
  /** It can: what waits, with calls as the venue wants them now and a gas limit for the first. */
  | {
      readonly kind: 'holds'
      readonly steps: readonly Step[]
      readonly gas: bigint
      readonly facts: SenderFacts
      /** When the buffer that it was checked against was set. */
      readonly bufferSetAt: Date
    }
  /** It can, with other approvals than were planned: the allowance changed since. */
  | { readonly kind: 'other_approvals'; readonly steps: readonly Step[] }
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
export async function checkMove(parts: Parts, chain: Chain, operation: Operation): Promise<Verdict> {
  const [monitored, strategy] = await Promise.all([
    monitoredOf(parts, operation),
    strategyById(parts.db, operation.strategyId),
  ])
  if (!monitored || !strategy) return gone('The wallet is watched over no longer.')
  const closed = operation.type === 'SUPPLY' ? whyClosed(operation, strategy, monitored) : undefined
  if (closed) return gone(closed)
  const waiting = operation.transactions.filter(({ state }) => state === 'unsigned')
  const { address } = monitored.wallet
  const isUntouched = operation.transactions.every(isNeverHandedOut)
  const [[onChain = 0n], facts, planned] = await Promise.all([
    chain.balances([{ owner: address, token: strategy.tokenAddress }]),
    chain.sender(address),
    isUntouched ? planAnew(chain, operation, strategy, monitored) : waiting,
  ])
  if (operation.type === 'SUPPLY' && onChain < operation.amount!) {
    return { kind: 'refused', why: 'The wallet holds less than the amount.' }
  }
  if (operation.type === 'SUPPLY' && onChain - operation.amount! < monitored.opWallet.buffer) {
    return gone('The wallet no longer holds that much above its buffer.')
  }
  // The rebalancer withdraws for the buffer alone; whatever came meanwhile would have to be deployed again.
  if (operation.type === 'UNWIND' && operation.origin === 'rebalancer' && isUntouched) {
    if (onChain >= monitored.opWallet.buffer) return gone('The buffer is full without it.')
  }
  if (!planned) return { kind: 'refused', why: 'The wallet has no position there.' }
  if (isUntouched && !hasKinds(planned, operation.transactions)) return { kind: 'other_approvals', steps: planned }
  const steps = waiting.map(({ description }, index) => ({ ...planned[index]!, description }))
  try {
    const { gas } = await prepareSteps(chain, address, steps, facts)
    return { kind: 'holds', steps, gas: gas[0]!, facts, bufferSetAt: monitored.opWallet.updatedAt }
  } catch (error) {
    if (error instanceof Failure && error.code === 'INSUFFICIENT_GAS') return { kind: 'poor', why: error.message }
    if (error instanceof Failure && error.code === 'SIMULATION_FAILED') return { kind: 'refused', why: told(error) }
    throw error
  }
}

const gone = (why: string): Verdict => ({ kind: 'gone', why })

async function monitoredOf(parts: Parts, { organizationId, opWalletId }: Operation): Promise<Monitored | undefined> {
  if (opWalletId === null) return undefined
  try {
    return await findMonitored(parts.db, { organizationId, opWalletId })
  } catch (error) {
    if (error instanceof Failure && error.code === 'WALLET_NOT_FOUND') return undefined
    throw error
  }
}

/** Why the strategy takes this deposit no more. */
function whyClosed(operation: Operation, strategy: Strategy, { enabledChains }: Monitored): string | undefined {
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

const isNeverHandedOut = ({ state, unsignedBytes }: OperationTransaction): boolean =>
  state === 'unsigned' && unsignedBytes === ''

/** The steps as the venue would plan them now; `undefined`: there is nothing to withdraw from. */
async function planAnew(
  chain: Chain,
  { type, amount }: Operation,
  strategy: Strategy,
  { wallet }: Monitored,
): Promise<readonly Step[] | undefined> {
  const venue = venueFor(strategy.protocol)
  const owner = wallet.address
  if (type === 'SUPPLY') {
    const { needsZeroAllowance } = tokenOf(chain, strategy.tokenAddress)
    return venue.planSupply(chain, { strategy, owner, amount: amount!, needsZeroAllowance })
  }
  const { shares } = await readPosition(chain, strategy, wallet)
  return shares === 0n ? undefined : venue.planUnwind(chain, { strategy, owner, amount: amount ?? 'full', shares })
}

function hasKinds(steps: readonly Step[], transactions: readonly OperationTransaction[]): boolean {
  return steps.length === transactions.length && steps.every(({ kind }, index) => kind === transactions[index]!.kind)
}

/** Whether the venue wants other calls now than are stored: shares have another price, for example. */
export function isChanged({ call }: Step, transaction: OperationTransaction): boolean {
  return callToJson(call) !== callToJson(transaction.call)
}

function told({ message, details }: Failure): string {
  const reason = details?.reason
  return typeof reason === 'string' ? `${message} ${reason}` : message
}
