import type { Chain } from '../../chains/index.ts'
import { type Transact, transactOn } from '../../database/index.ts'
import { assert, Failure, validationError } from '../../kernel/index.ts'
import { requireOffered, revocationStep, type Strategy, strategyById, venueFor } from '../../venues/index.ts'
import { unfinishedAfterExpiry } from '../lifecycle/conflicts/expire-operations.ts'
import { splitUnfinished } from '../lifecycle/conflicts/plan-conflicts.ts'
import { chainOf, type Parts, tokenOf } from '../lifecycle/parts.ts'
import { isOwnChoice, type Operation } from '../lifecycle/states/operation.ts'
import { commitMove } from './commit-move.ts'
import { explainIlliquidity } from './explain-illiquidity.ts'
import { findOperationalWalletContext, type OperationalWalletContext } from './find-operational-wallet.ts'
import { requireAllowance } from './left-allowance-on-chain.ts'
import { requireClaim } from './plan-claim.ts'
import { requireWithinBounds } from './plan-supply.ts'
import { requirePosition } from './plan-unwind.ts'
import { prepareSteps } from './prepare-steps.ts'
import type { PlanMove, PreparedMove } from './prepared-move.ts'
import { refusalsFirst } from './refusals-first.ts'
import { requireAboveBuffer } from './reserve-funds.ts'

/**
 * Plans a move for the custody agent: reads the chain, simulates, evaluates the approval policy, and reserves the
 * amount. Its bytes are built when an agent claims them (contract 7 to 10). A supply never spends the buffer.
 *
 * Errors: WALLET_NOT_FOUND, STRATEGY_NOT_FOUND, STRATEGY_NOT_ACTIVE, VALIDATION_ERROR (another chain), TOKEN_MISMATCH,
 * FORBIDDEN (chain not enabled), AMOUNT_OUT_OF_BOUNDS, OPERATION_IN_PROGRESS, ALLOCATION_NOT_FOUND,
 * INSUFFICIENT_BALANCE, INSUFFICIENT_GAS, SIMULATION_FAILED, CHAIN_UNAVAILABLE. A refused move changes nothing.
 */
export async function planMove(
  parts: Parts,
  input: PlanMove,
  transact: Transact<Operation> = transactOn(parts.db),
): Promise<Operation> {
  const [operationalWallet, strategy] = await Promise.all([
    findOperationalWalletContext(parts.db, input),
    strategyById(parts.db, input.strategyId),
  ])
  if (!strategy) throw new Failure('STRATEGY_NOT_FOUND')
  if (input.type === 'SUPPLY') requireOffered(strategy)
  requireSupportedStrategy(operationalWallet, strategy)
  if (input.type === 'SUPPLY') requireDepositBounds(strategy, input)
  // Checked here as well as at the commit: an amount in flight must not be reported as missing (contract 4, 8).
  const unfinished = await unfinishedAfterExpiry(parts, operationalWallet.wallet)
  const { blocking } = splitUnfinished(unfinished, input)
  if (blocking) throw new Failure('OPERATION_IN_PROGRESS', { details: { operationId: blocking.operationId } })
  const chain = chainOf(parts, strategy.blockchain)
  const chainState = await readMoveState(chain, operationalWallet, strategy, input)
  const { address } = operationalWallet.wallet
  const preparing = prepareSteps(chain, address, chainState.steps, await chain.senderState(address))
  const { position } = chainState
  const { senderState } = await (position
    ? explainIlliquidity(preparing, { strategy, position, amount: input.amount })
    : preparing)
  const { steps, onChainBalance, value, amount = input.amount } = chainState
  const move = { ...input, amount, operationalWallet, strategy, senderState, steps, onChainBalance, value }
  return commitMove(parts, move, transact)
}

function requireSupportedStrategy(
  { wallet, opWallet, enabledChains }: OperationalWalletContext,
  strategy: Strategy,
): void {
  if (strategy.blockchain !== wallet.blockchain) {
    throw validationError('strategyId', `is on ${strategy.blockchain}, the wallet on ${wallet.blockchain}`)
  }
  if (strategy.tokenAddress !== opWallet.tokenAddress) throw new Failure('TOKEN_MISMATCH')
  if (!enabledChains.includes(wallet.blockchain)) {
    throw new Failure('FORBIDDEN', { message: `The wallet profile does not allow ${wallet.blockchain}.` })
  }
}

/** Refuses an amount that the strategy does not accept now. */
function requireDepositBounds(strategy: Strategy, { amount }: PlanMove): void {
  if (amount === null) throw validationError('amount', 'is required for a supply')
  requireWithinBounds(amount, strategy)
}

type MoveChainState = Pick<PreparedMove, 'steps' | 'onChainBalance' | 'value'> & {
  /** Claims and revocations only: what the steps claim, or the allowance. */
  readonly amount?: bigint | null
  /** Unwinds only. */
  readonly position?: Awaited<ReturnType<typeof requirePosition>>
}

function readMoveState(
  chain: Chain,
  context: OperationalWalletContext,
  strategy: Strategy,
  input: PlanMove,
): Promise<MoveChainState> {
  if (input.type === 'SUPPLY') return readSupplyState(chain, context, strategy, input)
  if (input.type === 'REVOKE') return readRevocationState(chain, context, strategy)
  return input.claim ? readClaimState(chain, context, strategy) : readUnwindState(chain, context, strategy, input)
}

async function readRevocationState(
  chain: Chain,
  { wallet }: OperationalWalletContext,
  strategy: Strategy,
): Promise<MoveChainState> {
  const amount = await requireAllowance(chain, strategy, wallet)
  return { steps: [revocationStep(strategy)], onChainBalance: undefined, value: amount, amount }
}

async function readClaimState(
  chain: Chain,
  { wallet }: OperationalWalletContext,
  strategy: Strategy,
): Promise<MoveChainState> {
  const { steps, amount, worth } = await requireClaim(chain, strategy, wallet)
  return { steps, onChainBalance: undefined, value: worth, amount: amount === 'full' ? null : amount }
}

async function readSupplyState(
  chain: Chain,
  context: OperationalWalletContext,
  strategy: Strategy,
  input: PlanMove,
): Promise<MoveChainState> {
  const { amount } = input
  assert(amount !== null, 'a supply has an amount')
  const { wallet, opWallet } = context
  const token = tokenOf(chain, strategy.tokenAddress)
  const [[onChainBalance = 0n], stepsOf] = await Promise.all([
    chain.balances([{ owner: wallet.address, token: strategy.tokenAddress }], undefined, context.settledBlock),
    refusalsFirst(
      venueFor(strategy.protocol).planSupply(chain, {
        strategy,
        owner: wallet.address,
        amount,
        needsZeroAllowance: token.needsZeroAllowance,
        isOwnChoice: isOwnChoice(input),
      }),
    ),
  ])
  requireAboveBuffer(amount, onChainBalance, opWallet.buffer, strategy.tokenDecimals)
  return { steps: stepsOf(), onChainBalance, value: amount }
}

async function readUnwindState(
  chain: Chain,
  { wallet }: OperationalWalletContext,
  strategy: Strategy,
  { amount, origin }: PlanMove,
): Promise<MoveChainState> {
  const venue = venueFor(strategy.protocol)
  const position = await requirePosition(chain, strategy, wallet)
  const { shares, worth } = position
  if (amount !== null) requireAboveBuffer(amount, worth, 0n, strategy.tokenDecimals)
  const steps = await venue.planUnwind(chain, {
    strategy,
    owner: wallet.address,
    amount: amount ?? 'full',
    shares,
    ...(origin === 'rebalancer' && { worth }),
  })
  return { steps, onChainBalance: undefined, value: amount ?? worth, position }
}
