import { expireOverdue } from '../src/operations/index.ts'
import { checkChain } from './checks/chain.ts'
import { checkRest } from './checks/rest.ts'
import { checkBooks, checkStates } from './checks/steps.ts'
import { checkTreasury } from './checks/treasury.ts'
import type { Action } from './clients/action.ts'
import { ACTIONS, CLIENTS, TREASURY } from './clients/actions.ts'
import { follow } from './clients/requests.ts'
import type { Books } from './database.ts'
import { Play, Violation } from './play.ts'
import { GOOD_NODES, type NodeFaults } from './service/node.ts'
import type { Sabotage } from './service/service.ts'
import { checkAllEffects, heal, workToTheEnd } from './treasury/rest.ts'

export interface Report {
  readonly seed: number
  readonly steps: number
  /** `undefined`: nothing was found. */
  readonly violation: string | undefined
  /** One line for each thing that happened. */
  readonly log: readonly string[]
  /** What the database then holds of operations and their transactions, one line each. */
  readonly rows: readonly string[]
}

/** What a seed is made to meet more often than it was drawn, so that a rare thing is looked for where it can happen. */
export interface Emphasis {
  readonly faults?: Partial<NodeFaults>
  /** Names of actions that come often, and of those that never come. */
  readonly often?: readonly string[]
  readonly never?: readonly string[]
  /** Whether there is a treasury, instead of by chance. */
  readonly treasury?: boolean
}

export interface Run {
  readonly seed: number
  readonly steps: number
  readonly sabotage?: Sabotage
  readonly emphasis?: Emphasis
}

/** Plays one seed to its end, and looks at everything after each step. */
export async function runSeed(books: Books, { seed, steps, sabotage = {}, emphasis = {} }: Run): Promise<Report> {
  const { faults = {}, treasury } = emphasis
  const hasTreasury = treasury === undefined ? undefined : Number(treasury)
  const play = new Play(seed, books, { sabotage, faults, hasTreasury })
  let step = 0
  try {
    await play.setUp()
    const drawn = drawActions(play, emphasis)
    const random = play.random.fork('steps')
    for (step = 1; step <= steps; step += 1) {
      const action = random.weighted(drawn)
      const ending = random.chance(0.04) ? random.between(1, 40) : undefined
      play.note(`step ${step}: ${action.name}${ending ? `, and the process ends after ${ending} points` : ''}`)
      if (ending !== undefined) play.service.endAfter(ending)
      await action.act(play, random.fork(`${step}`))
      await sabotage.afterStep?.(books.look)
      await look(play)
    }
    play.note('the chain is healed, and everything comes to rest')
    await comeToRest(play)
    return { seed, steps, violation: undefined, log: play.log, rows: [] }
  } catch (error) {
    const violation = error instanceof Violation ? error.message : `the simulation failed: ${(error as Error).stack}`
    return { seed, steps: step, violation, log: play.log, rows: await rowsOf(books) }
  }
}

/** What agents wait for, transaction by transaction. */
const CHAIN: ReadonlySet<string> = new Set(['mine', 'follow the chain', 'let time pass'])

/** Each seed does some things often and leaves others out, so that rare mixtures come up. */
function drawActions(play: Play, { often = [], never = [] }: Emphasis): [number, Action][] {
  const random = play.random.fork('actions')
  const actions = play.treasury ? [...ACTIONS, ...TREASURY] : ACTIONS
  return actions.map((action) => {
    if (never.includes(action.name)) return [0, action]
    if (often.includes(action.name)) return [action.weight * 5, action]
    const left = !play.treasury ? 1 : CLIENTS.has(action) ? play.treasury.clients : CHAIN.has(action.name) ? 2 : 1
    const isNeeded = action.weight >= 10
    const share =
      !isNeeded && random.chance(0.25)
        ? 0
        : random.weighted([
            [1, 0.5],
            [2, 1],
            [1, 2],
          ] as const)
    return [action.weight * share * left, action]
  })
}

async function look(play: Play): Promise<void> {
  if (play.violations.length > 0) throw new Violation(play.violations[0]!)
  if (!play.written) return
  play.written = false
  await checkBooks(play)
  await checkStates(play)
  await checkChain(play)
  if (play.treasury) await checkTreasury(play, play.treasury)
}

async function comeToRest(play: Play): Promise<void> {
  const { world, clock, service, treasury } = play
  Object.assign(play.faults, GOOD_NODES)
  Object.assign(world.weather, { leave: 0, forget: 0 })
  world.closed.clear()
  world.gasPercent = 100n
  world.baseFee = 30_000_000_000n
  service.restart()
  if (treasury) await heal(play, treasury)
  for (let turn = 0; turn < 6; turn += 1) {
    for (let count = 0; count < world.confirmations + (turn === 0 ? 20 : 0); count += 1) world.mine()
    await follow(play)
    await look(play)
    // Long enough for every plan to expire, for what is lost to count as dropped, and once for what hangs to time out.
    clock.advance(turn === 2 ? 1_900_000 : 130_000)
    await play.request('expire', () => expireOverdue(service.parts))
    await look(play)
  }
  if (treasury) await workToTheEnd(play, treasury, () => look(play))
  await follow(play)
  await look(play)
  await checkRest(play)
  if (treasury) await checkAllEffects(play, treasury)
}

async function rowsOf(books: Books): Promise<string[]> {
  const { rows } = await books.look.query<{ line: string }>(
    `select concat_ws(' ', 'operation', o.id, 'wallet', o.wallet_id, o.type, o.state, o.failure_reason, '| transaction', t.id,
      t.kind, 'nonce', t.nonce, t.state, t.failure_code, 'hash', left(t.tx_hash, 10), 'block', t.block_number,
      case when t.finalized_at is not null then 'final' end, case when t.watched then 'watched' end) as line
    from operations o join transactions t on t.operation_id = o.id order by o.id, t.position`,
  )
  return rows.map(({ line }) => line)
}
