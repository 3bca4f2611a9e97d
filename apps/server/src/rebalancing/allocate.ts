import { extendTransact, type Transact, transactOn } from '../database/index.ts'
import type { Actor } from '../identity/index.ts'
import { assert, Failure, Money } from '../kernel/index.ts'
import { chainOf, type Operation, planMove } from '../operations/index.ts'
import { type Strategy, strategyById } from '../venues/index.ts'
import type { OperationalWallet, Wallet } from '../wallets/index.ts'
import { depositBound, type StrategyOption, splitAcrossStrategies } from './allocator.ts'
import { enforceCap } from './enforce-cap.ts'
import type { RebalanceParts } from './parts.ts'
import { readPositions } from './planner-input.ts'
import { readCapHeadroom } from './read-cap-usage.ts'
import { readMarket, strategyOptionsOf } from './read-market.ts'

export interface AllocateInput {
  readonly opWallet: OperationalWallet
  readonly wallet: Wallet
  /** Base units. */
  readonly amount: bigint
  /** Default: the strategy that the allocator chooses. */
  readonly strategyId?: number | undefined
  readonly requestedBy: Actor
}

export interface AllocateResult {
  readonly operation: Operation
  readonly strategy: Strategy
}

/**
 * Plans a deployment that a caller requested. Without a strategy, the allocator chooses among those that can take the
 * whole amount: the one that earns most after gas (contract 7 and 10). The deployment may use everything above the
 * buffer, even while yield is switched off.
 *
 * Errors: those of `planMove`; STRATEGY_NOT_ACTIVE when no strategy takes deposits of the token; AMOUNT_OUT_OF_BOUNDS
 * when none takes the whole amount.
 */
export async function allocate(
  parts: RebalanceParts,
  input: AllocateInput,
  transact: Transact<AllocateResult> = transactOn(parts.db),
): Promise<AllocateResult> {
  const { opWallet, wallet, amount } = input
  const chosen =
    input.strategyId === undefined ? await chooseStrategy(parts, input) : { strategyId: input.strategyId, reasons: {} }
  const strategy = await strategyById(parts.db, chosen.strategyId)
  if (!strategy) throw new Failure('STRATEGY_NOT_FOUND')
  const planned = extendTransact(transact, async (_tx, operation: Operation) => ({ operation, strategy }))
  const operation = await planMove(
    parts,
    {
      organizationId: wallet.organizationId,
      opWalletId: opWallet.opWalletId,
      strategyId: strategy.id,
      type: 'SUPPLY',
      amount,
      origin: 'explicit',
      requestedBy: input.requestedBy,
      reasons: { why: 'The deployment was requested.', ...chosen.reasons },
    },
    input.strategyId === undefined ? enforceCap(planned) : planned,
  )
  return { operation, strategy }
}

async function chooseStrategy(parts: RebalanceParts, { opWallet, wallet, amount }: AllocateInput) {
  const chain = chainOf(parts, wallet.blockchain)
  const [market, headrooms, holdings] = await Promise.all([
    readMarket(parts.db, chain, {
      tokenAddress: opWallet.tokenAddress,
      sender: wallet.address,
      settings: parts.rebalancing,
    }),
    readCapHeadroom(parts.db, opWallet.organizationId),
    readPositions(parts.db, [opWallet]),
  ])
  const options = strategyOptionsOf(market, headrooms, holdings.get(opWallet.opWalletId) ?? [])
  if (options.every(({ deposits }) => deposits && deposits.state !== 'open'))
    throw new Failure('STRATEGY_NOT_ACTIVE', { message: 'No strategy takes deposits of this token.' })
  const fitting = options.filter(
    (option) => amount >= (option.minDeposit ?? 0n) && amount <= (depositBound(option) ?? amount),
  )
  const decimals = market.strategies[0]!.tokenDecimals
  if (fitting.length === 0) throw amountOutOfBounds(options, decimals)
  const whole = fitting.filter(({ headroom }) => amount <= (headroom ?? amount))
  if (whole.length === 0) throw capsExceeded(fitting, decimals)
  // An explicit request skips the minimum size and the comparison of gas with yield.
  const { parts: taken, weighed } = splitAcrossStrategies(
    whole.map((option) => ({ ...option, apy: Math.max(option.apy, 0) })),
    amount,
    { minimum: 0n, horizonDays: parts.rebalancing.horizonDays },
  )
  const best = taken[0]?.option ?? weighed[0]
  assert(best, 'every strategy that can take the amount was evaluated')
  const reasons = { weighed: weighed.map(({ gain, ...rest }) => ({ ...rest, gain: gain.toString() })) }
  return { strategyId: best.strategyId, reasons }
}

/** No strategy takes this amount. The message names the widest bounds. */
function amountOutOfBounds(options: readonly StrategyOption[], decimals: number): Failure {
  const least = options.map(({ minDeposit }) => minDeposit ?? 0n).reduce((a, b) => (a < b ? a : b))
  const bounds = options.map(depositBound)
  const most = bounds.includes(null) ? null : bounds.reduce((a, b) => (a! > b! ? a : b), 0n)
  return new Failure('AMOUNT_OUT_OF_BOUNDS', {
    details: {
      minDeposit: new Money(least, decimals),
      maxDeposit: most === null ? null : new Money(most, decimals),
    },
  })
}

/** Strategies would take the amount, but the organization's caps leave less. */
function capsExceeded(options: readonly StrategyOption[], decimals: number): Failure {
  const most = options.map(({ headroom }) => headroom ?? 0n).reduce((a, b) => (a > b ? a : b))
  return new Failure('AMOUNT_OUT_OF_BOUNDS', {
    message: "The organization's caps leave no strategy room for all of it.",
    details: { minDeposit: null, maxDeposit: new Money(most, decimals) },
  })
}
