import { expireOverdue } from '../src/operations/index.ts'
import { checkAwaited } from './checks/awaited.ts'
import { checkBreakers } from './checks/breakers.ts'
import { checkBreaks } from './checks/breaks.ts'
import { checkChain } from './checks/chain.ts'
import { checkCrumbs } from './checks/crumbs.ts'
import { checkAllEffects } from './checks/effects.ts'
import { checkEndedDays, checkSnapshots } from './checks/ended-days.ts'
import { checkExits } from './checks/exits.ts'
import { checkHistory } from './checks/history.ts'
import { checkLimits } from './checks/limits.ts'
import { checkLosses } from './checks/losses.ts'
import { checkQuarantine, endQuarantines, expectNoQuarantine } from './checks/quarantine.ts'
import { checkQuiescence } from './checks/quiescence.ts'
import { checkAgentRefusals, checkRefusals } from './checks/refusals.ts'
import { checkRejections } from './checks/rejections.ts'
import { checkRequests } from './checks/requests-of-covered-money.ts'
import { checkRooms } from './checks/rooms.ts'
import { checkSettledAmounts } from './checks/settled-amounts.ts'
import { checkStaleBalances } from './checks/stale-balances.ts'
import { checkCursor, checkLedger, checkStates } from './checks/steps.ts'
import { checkTreasury } from './checks/treasury.ts'
import { ACTIONS, CLIENTS, TREASURY } from './clients/actions.ts'
import { MISSING } from './clients/break-actions.ts'
import { BREAKERS, closeBreakers, EVALUATE, OFF_PEG, withdrawOffPeg } from './clients/breaker-actions.ts'
import { EXITS } from './clients/exit-actions.ts'
import { GO_BACK } from './clients/history-actions.ts'
import { LIMITS, liftLimits } from './clients/limit-actions.ts'
import { ODD } from './clients/odd-actions.ts'
import { QUARANTINE } from './clients/quarantine-actions.ts'
import { KEEPING, REFUSING, refuseOnly } from './clients/refusing-actions.ts'
import { follow } from './clients/requests.ts'
import { STUCK } from './clients/stuck-actions.ts'
import { UNKIND } from './clients/unkind-actions.ts'
import { WORKERS } from './clients/worker-actions.ts'
import type { SimulationDatabase } from './database.ts'
import { EvmRun } from './evm-run.ts'
import { type Emphasis, type Scenario, weighActions } from './scenario.ts'
import { GOOD_NODES } from './service/node.ts'
import type { Sabotage } from './service/service.ts'
import { AWAITED } from './treasury/awaited-actions.ts'
import { pickHeldStrategy } from './treasury/people-actions.ts'
import { runHealthyAgents, runUntilEvacuated, runUntilQuiescent } from './treasury/quiesce.ts'
import { raiseBuffers } from './treasury/raise-buffers.ts'
import { refillWithoutPeople } from './treasury/refill-without-people.ts'
import { replaceStuck } from './treasury/replace-stuck.ts'
import { isOpen, type MarketLimits } from './world/market.ts'

/** The actions that agents wait for after each transaction. */
const CHAIN: ReadonlySet<string> = new Set(['mine', 'follow the chain', 'let time pass'])

/** A seed on a chain with nonces, with clients and perhaps a treasury. */
export function createEvmScenario(
  seed: number,
  database: SimulationDatabase,
  sabotage: Sabotage,
  emphasis: Emphasis,
): Scenario<EvmRun> {
  const {
    faults = {},
    treasury,
    signerFailure,
    breakers,
    unkind,
    refusing,
    limits,
    exits,
    stuck,
    awaited,
    losses,
    fees,
    silent,
    odd,
    workers = true,
    breaks = treasury === undefined,
    quarantine = treasury === undefined,
    history = treasury === undefined,
  } = emphasis
  const hasTreasury = treasury === undefined ? undefined : Number(treasury)
  const settings = {
    sabotage,
    faults,
    hasTreasury,
    signerFailure,
    breakers,
    unkind,
    refusing,
    limits,
    exits,
    stuck,
    awaited,
    losses,
    fees,
    silent,
    odd,
    workers,
  }
  const run = new EvmRun(seed, database, settings)
  return {
    run,
    setUp: () => run.setUp(),
    actions() {
      const usual = run.treasury ? [...ACTIONS, ...TREASURY] : ACTIONS
      const actions = [
        ...usual,
        ...(run.isUnkind ? UNKIND : []),
        ...(run.isOdd ? ODD : []),
        ...(run.hasBreakers ? BREAKERS : []),
        ...(run.hasBreakers ? [EVALUATE] : []),
        ...(run.hasLimits ? LIMITS : []),
        ...(run.hasExits ? EXITS : []),
        ...(run.hasStuck ? STUCK : []),
        ...(workers ? WORKERS : []),
        ...(run.hasAwaited ? AWAITED : []),
        ...(run.hasRefusing ? [REFUSING] : []),
        ...(run.hasRefusing && run.hasBreakers ? [KEEPING] : []),
        ...(breaks ? MISSING : []),
        ...(quarantine ? QUARANTINE : []),
        ...(history ? [GO_BACK] : []),
      ]
      return weighActions(run, actions, emphasis, (action) => {
        if (!run.treasury) return 1
        return CLIENTS.has(action) ? run.treasury.clients : CHAIN.has(action.name) ? 2 : 1
      })
    },
    check: checkAll,
    quiesce: () => quiesce(run),
  }
}

const isUnkind = (limits: MarketLimits): boolean =>
  limits.lent > 0n ||
  limits.refuses ||
  limits.most !== null ||
  limits.hiddenBps > 0n ||
  limits.isHeavy ||
  limits.isUnlisted ||
  !isOpen(limits)

/** What every market pays and takes from the second half of the end on. */
const KIND = {
  lent: 0n,
  accepts: true,
  cap: null,
  refuses: false,
  most: null,
  hiddenBps: 0n,
  isHeavy: false,
  isUnlisted: false,
} satisfies Partial<MarketLimits>

/** Whether a block moved tokens or shares of an address; a transfer of nothing moves none. */
const isMovedIn = ({ world }: EvmRun, block: number, address: string): boolean =>
  [...world.blocks[block]!.moves.values()].flat().some(({ owner, amount }) => owner === address && amount !== 0n)

/** A transaction that agents have not got waits for as long as nodes give up on its contract. */
async function finishWhatIsPlanned({ world, database }: EvmRun): Promise<void> {
  const { rows } = await database.reader.query<{ key: string }>(
    `select distinct s.key from operations o join strategies s on s.id = o.strategy_id
      where o.executor = 'agent' and o.state in ('PENDING_APPROVAL', 'EXECUTING')`,
  )
  const planned = world.markets.filter(({ key }) => rows.some((row) => row.key === key)).map(({ contract }) => contract)
  for (const { contract, limits } of world.markets) if (planned.includes(contract)) limits.isHeavy = false
}

async function checkAll(run: EvmRun): Promise<void> {
  await checkLedger(run)
  await checkSettledAmounts(run)
  await checkStates(run)
  // On what was settled before this step.
  await checkStaleBalances(run)
  await checkCursor(run)
  await checkChain(run)
  await checkBreaks(run)
  await checkHistory(run)
  await checkQuarantine(run, (block, address) => isMovedIn(run, block, address))
  await checkLosses(run)
  await checkSnapshots(run)
  if (run.treasury) await checkTreasury(run, run.treasury)
  if (run.treasury) await checkRefusals(run)
  if (run.treasury) await checkAgentRefusals(run)
  if (run.hasBreakers) await checkBreakers(run)
  if (run.hasBreakers) await checkRejections(run)
  if (run.hasLimits || run.hasExits) await checkLimits(run)
  if (run.isUnkind) await checkRooms(run)
  if (run.isOdd) await checkCrumbs(run)
  if (run.hasAwaited) await checkAwaited(run)
  if (run.hasExits) {
    await checkExits(run)
    await checkRequests(run)
  }
}

async function quiesce(run: EvmRun): Promise<void> {
  const { world, clock, service, treasury } = run
  Object.assign(run.faults, GOOD_NODES)
  Object.assign(world.conditions, { leave: 0, forget: 0 })
  world.closed.clear()
  world.gasPercent = 100n
  world.baseFee = 30_000_000_000n
  service.restart()
  await endQuarantines(run)
  if (treasury) await runHealthyAgents(run, treasury)
  if (treasury) await finishWhatIsPlanned(run)
  if (treasury && run.hasStuck) {
    await replaceStuck(run, treasury, () => run.check(checkAll))
    world.fallFees()
  }
  if (treasury && run.hasBreakers) await closeBreakers(run)
  if (treasury && run.hasLimits) await liftLimits(run)
  for (let turn = 0; turn < 6; turn += 1) {
    for (let count = 0; count < world.confirmations + (turn === 0 ? 20 : 0); count += 1) world.mine()
    await follow(run)
    await run.check(checkAll)
    // Long enough for plans to expire and lost transactions to count as dropped, and once for hanging ones to time out.
    clock.advance(turn === 2 ? 1_900_000 : 130_000)
    await run.request('expire', () => expireOverdue(service.parts))
    await run.check(checkAll)
  }
  if (treasury && run.isOdd && run.random.fork('raised buffers').chance(0.7)) await raiseBuffers(run, treasury)
  if (treasury) await runUntilQuiescent(run, treasury, () => run.check(checkAll))
  if (treasury && world.markets.some(({ limits }) => isUnkind(limits))) {
    // What markets could not pay or accept so far, they can from here on.
    for (const { limits } of world.markets) Object.assign(limits, KIND)
    clock.advance(3_600_000)
    await runUntilQuiescent(run, treasury, () => run.check(checkAll))
  }
  if (treasury && run.hasExits) await refillWithoutPeople(run, treasury, () => run.check(checkAll))
  if (treasury && run.hasBreakers) {
    world.markets[0]!.limits.usd = OFF_PEG
    if (run.hasRefusing) refuseOnly(run, await pickHeldStrategy(run, run.random.fork('refused in the end')))
    await withdrawOffPeg(run)
    await runUntilEvacuated(run, treasury, () => run.check(checkAll))
    if (run.hasRefusing) {
      refuseOnly(run)
      clock.advance(3_600_000)
      await runUntilEvacuated(run, treasury, () => run.check(checkAll))
    }
  }
  await follow(run)
  await run.check(checkAll)
  await expectNoQuarantine(run)
  await checkQuiescence(run)
  await checkEndedDays(run)
  if (treasury) await checkAllEffects(run, treasury)
}
