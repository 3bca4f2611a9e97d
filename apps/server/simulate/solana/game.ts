import { expireOverdue } from '../../src/operations/index.ts'
import { checkBooks, checkStates } from '../checks/steps.ts'
import { checkTreasury } from '../checks/treasury.ts'
import type { Action } from '../clients/action.ts'
import { TREASURY } from '../clients/actions.ts'
import { follow } from '../clients/requests.ts'
import type { Books } from '../database.ts'
import { drawActions, type Emphasis, type Game } from '../game.ts'
import { GOOD_NODES } from '../service/node.ts'
import type { Sabotage } from '../service/service.ts'
import { heal, workToTheEnd } from '../treasury/rest.ts'
import { checkChain } from './checks/chain.ts'
import { checkRest } from './checks/rest.ts'
import { MACHINES } from './clients/machine-actions.ts'
import { OUTSIDE } from './clients/outside-actions.ts'
import { PLANNING } from './clients/plan-actions.ts'
import { SUBMITTING } from './clients/submit-actions.ts'
import { SolanaPlay } from './play.ts'

const ACTIONS: readonly Action<SolanaPlay>[] = [...PLANNING, ...SUBMITTING, ...OUTSIDE, ...MACHINES]

const CLIENTS: ReadonlySet<Action<SolanaPlay>> = new Set([...PLANNING, ...SUBMITTING])

/** A seed on Solana: bytes that die of age, slots without blocks, forks, and a queue that forgets. */
export function createSolanaGame(seed: number, books: Books, sabotage: Sabotage, emphasis: Emphasis): Game<SolanaPlay> {
  const { faults = {}, treasury } = emphasis
  const hasTreasury = treasury === undefined ? undefined : Number(treasury)
  const play = new SolanaPlay(seed, books, { sabotage, faults, hasTreasury })
  return {
    play,
    setUp: () => play.setUp(),
    actions() {
      const actions = play.treasury ? [...ACTIONS, ...TREASURY] : ACTIONS
      return drawActions(play, actions, emphasis, (action) =>
        play.treasury && CLIENTS.has(action) ? play.treasury.clients : 1,
      )
    },
    look,
    comeToRest: () => comeToRest(play),
  }
}

async function look(play: SolanaPlay): Promise<void> {
  await checkBooks(play)
  await checkStates(play)
  await checkChain(play)
  if (play.treasury) await checkTreasury(play, play.treasury)
}

async function comeToRest(play: SolanaPlay): Promise<void> {
  const { cluster, clock, service, treasury } = play
  Object.assign(play.faults, GOOD_NODES)
  Object.assign(cluster.climate, { leave: 0, drop: 0, forget: 0 })
  cluster.closed.clear()
  cluster.unitsPercent = 100n
  service.restart()
  // Whoever has no lamports left can do nothing any more.
  cluster.give((state) => {
    for (const { address } of play.holders) state.lamports.set(address, 10n ** 10n)
  })
  if (treasury) await heal(play, treasury)
  for (let turn = 0; turn < 5; turn += 1) {
    // Once long enough for everything that was handed out to die.
    play.mine(cluster.depth + 1 + (turn === 1 ? cluster.lifetime : 0))
    await follow(play)
    await play.look(look)
    // Long enough for every plan to expire, and for what is lost to count as dropped.
    clock.advance(turn === 2 ? 1_900_000 : 130_000)
    await play.request('expire', () => expireOverdue(service.parts))
    await play.look(look)
  }
  if (treasury) await workToTheEnd(play, treasury, () => play.look(look))
  // What yield there is, is posted by the hour.
  cluster.pass(3_700)
  play.mine(cluster.depth + 1)
  await follow(play)
  await play.look(look)
  await checkRest(play)
}
