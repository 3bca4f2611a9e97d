import { depositWarning, evaluateBreakers, stoppedStrategies } from '../breakers/index.ts'
import { extendTransact, type Transact, transactOn } from '../database/index.ts'
import type { Actor } from '../identity/index.ts'
import { Failure, Money } from '../kernel/index.ts'
import { chainOf, type Operation, planMove } from '../operations/index.ts'
import { feeWarning, type Strategy, strategyById } from '../venues/index.ts'
import type { OperationalWallet, Wallet } from '../wallets/index.ts'
import { WITHDRAWAL_WAITS } from './awaited/awaited-withdrawal.ts'
import { readAwaited } from './awaited/read-awaited.ts'
import { isRefusal } from './exclusions/refused-moves.ts'
import { enforceCap } from './limits/enforce-cap.ts'
import type { HeldSums } from './limits/held-sums.ts'
import { readCapHeadroom } from './limits/read-cap-usage.ts'
import type { RebalanceParts } from './parts.ts'
import {
  depositBound,
  type StrategyEvaluation,
  type StrategyOption,
  splitAcrossStrategies,
} from './planner/allocator.ts'
import { readHoldings } from './snapshot/planner-input.ts'
import { readMarket, strategyOptionsOf } from './state/read-market.ts'

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
  /** Why Weir would not deposit there on its own initiative: an open circuit breaker, or a fee. */
  readonly warnings: readonly string[]
}

/**
 * Plans a deployment that a caller requested. Without a strategy, the allocator chooses among those that can take the
 * whole amount: the one that earns most after gas and does not refuse the move (contract 7 and 10, ADR 123), and where
 * no requested withdrawal of this wallet waits, if there is one. The deployment may use everything above the buffer,
 * even while yield is switched off.
 *
 * Errors: those of `planMove`, from the best strategy if all refuse; STRATEGY_NOT_ACTIVE when no strategy takes
 * deposits of the token; AMOUNT_OUT_OF_BOUNDS when none takes the whole amount.
 */
export async function allocate(
  parts: RebalanceParts,
  input: AllocateInput,
  transact: Transact<AllocateResult> = transactOn(parts.db),
): Promise<AllocateResult> {
  if (input.strategyId !== undefined) return planIn(parts, input, { strategyId: input.strategyId, transact })
  const { options, sums } = await findOptions(parts, input)
  const waiting = new Set(options.filter(({ excluded }) => excluded !== null).map(({ strategyId }) => strategyId))
  const refusals = new Map<number, Failure>()
  for (;;) {
    const weighed = weighOptions(options, refusals, input.amount, parts.rebalancing.horizonDays)
    const open = weighed.filter(({ strategyId }) => !refusals.has(strategyId))
    const best = open.find(({ strategyId }) => !waiting.has(strategyId)) ?? open[0]
    if (!best) throw refusals.values().next().value!
    try {
      return await planIn(parts, input, { strategyId: best.strategyId, weighed, sums, transact })
    } catch (error) {
      if (!(error instanceof Failure && isRefusal(error, { type: 'SUPPLY' }))) throw error
      refusals.set(best.strategyId, error)
    }
  }
}

interface StrategyChoice {
  readonly strategyId: number
  /** How the allocator chose it; absent when the caller did, which no cap limits. */
  readonly weighed?: readonly StrategyEvaluation[]
  readonly sums?: HeldSums | undefined
  readonly transact: Transact<AllocateResult>
}

async function planIn(
  parts: RebalanceParts,
  { opWallet, wallet, amount, requestedBy }: AllocateInput,
  { strategyId, weighed, sums, transact }: StrategyChoice,
): Promise<AllocateResult> {
  const strategy = await strategyById(parts.db, strategyId)
  if (!strategy) throw new Failure('STRATEGY_NOT_FOUND')
  const stopped = (await stoppedStrategies(parts.db, wallet.organizationId)).get(strategyId)
  const warnings = [depositWarning(stopped), feeWarning(strategy, 'entry')].filter((text) => text !== undefined)
  const resultOf = (planned: Operation): AllocateResult => ({
    operation: planned,
    strategy,
    warnings,
  })
  const planned = extendTransact(transact, async (_tx, operation: Operation) => resultOf(operation))
  const why = 'The deployment was requested.'
  const operation = await planMove(
    parts,
    {
      organizationId: wallet.organizationId,
      opWalletId: opWallet.opWalletId,
      strategyId,
      type: 'SUPPLY',
      amount,
      origin: 'explicit',
      isStrategyChosen: weighed !== undefined,
      requestedBy,
      reasons: weighed
        ? { why, weighed: weighed.map(({ gain, ...rest }) => ({ ...rest, gain: gain.toString() })) }
        : { why },
    },
    weighed ? enforceCap(parts, sums, planned) : planned,
  )
  return resultOf(operation)
}

/**
 * The strategies that can take the whole amount. Those that the rebalancer leaves out at present are included; excluded
 * are those where a requested withdrawal waits, because the deposit would leave again.
 */
async function findOptions(
  parts: RebalanceParts,
  { opWallet, wallet, amount }: AllocateInput,
): Promise<{ options: readonly StrategyOption[]; sums: HeldSums | undefined }> {
  const chain = chainOf(parts, wallet.blockchain)
  await evaluateBreakers(parts, [opWallet.organizationId])
  const stopped = await stoppedStrategies(parts.db, opWallet.organizationId)
  const [market, { headrooms, sums }, holdings] = await Promise.all([
    readMarket(parts.db, chain, {
      tokenAddress: opWallet.tokenAddress,
      sender: wallet.address,
      settings: parts.rebalancing,
    }),
    readCapHeadroom(parts, opWallet.organizationId, stopped),
    readHoldings(parts.db, [opWallet]),
  ])
  const options = strategyOptionsOf(market, headrooms, holdings.get(opWallet.opWalletId) ?? [])
  if (options.every(({ deposits }) => deposits && deposits.state !== 'open'))
    throw new Failure('STRATEGY_NOT_ACTIVE', { message: 'No strategy accepts deposits of this token.' })
  const fitting = options.filter(
    (option) => amount >= (option.minDeposit ?? 0n) && amount <= (depositBound(option) ?? amount),
  )
  const decimals = market.strategies[0]!.tokenDecimals
  if (fitting.length === 0) throw amountOutOfBounds(options, decimals)
  const whole = fitting.filter(({ headroom }) => amount <= (headroom ?? amount))
  if (whole.length === 0) throw capsExceeded(fitting, decimals, stopped.get(fitting[0]!.strategyId)?.reason)
  const { organizationId, opWalletId } = opWallet
  const positions = whole.map(({ strategyId }) => ({ opWalletId, strategyId }))
  const awaitedOf = await readAwaited(parts.db, organizationId, positions)
  const chosen = whole.map((option) => ({
    ...option,
    excluded: awaitedOf({ opWalletId, strategyId: option.strategyId }) ? WITHDRAWAL_WAITS : null,
  }))
  return { options: chosen, sums }
}

/** Best first. An explicit request skips the minimum size, and compares gas with yield for the order only. */
function weighOptions(
  options: readonly StrategyOption[],
  refusals: ReadonlyMap<number, Failure>,
  amount: bigint,
  horizonDays: number,
): readonly StrategyEvaluation[] {
  const open = options.map((option) => {
    const refusal = refusals.get(option.strategyId)
    const excluded = refusal ? `it refused the move (${refusal.code}: ${refusal.message})` : option.excluded
    return { ...option, apy: Math.max(option.apy, 0), excluded }
  })
  return splitAcrossStrategies(open, amount, { minimum: 0n, horizonDays }).weighed
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
function capsExceeded(options: readonly StrategyOption[], decimals: number, stop: string | undefined): Failure {
  const most = options.map(({ headroom }) => headroom ?? 0n).reduce((a, b) => (a > b ? a : b))
  return new Failure('AMOUNT_OUT_OF_BOUNDS', {
    message: stop
      ? `No strategy accepts the deposit now: ${stop}.`
      : "The organization's caps leave no room for all of it in any strategy.",
    details: { minDeposit: null, maxDeposit: new Money(most, decimals) },
  })
}
