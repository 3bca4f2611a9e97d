import { expireOverdue } from '../src/operations/index.ts'
import { checkChain } from './checks/chain.ts'
import { checkAllEffects } from './checks/effects.ts'
import { checkRest } from './checks/rest.ts'
import { checkBooks, checkStates } from './checks/steps.ts'
import { checkTreasury } from './checks/treasury.ts'
import { ACTIONS, CLIENTS, TREASURY } from './clients/actions.ts'
import { follow } from './clients/requests.ts'
import type { Books } from './database.ts'
import { drawActions, type Emphasis, type Game } from './game.ts'
import { Play } from './play.ts'
import { GOOD_NODES } from './service/node.ts'
import type { Sabotage } from './service/service.ts'
import { heal, workToTheEnd } from './treasury/rest.ts'

/** What agents wait for, transaction by transaction. */
const CHAIN: ReadonlySet<string> = new Set(['mine', 'follow the chain', 'let time pass'])

/** A seed on a chain with nonces, on which clients and perhaps a treasury work. */
export function createEvmGame(seed: number, books: Books, sabotage: Sabotage, emphasis: Emphasis): Game<Play> {
  const { faults = {}, treasury } = emphasis
  const hasTreasury = treasury === undefined ? undefined : Number(treasury)
  const play = new Play(seed, books, { sabotage, faults, hasTreasury })
  return {
    play,
    setUp: () => play.setUp(),
    actions() {
      const actions = play.treasury ? [...ACTIONS, ...TREASURY] : ACTIONS
      return drawActions(play, actions, emphasis, (action) => {
        if (!play.treasury) return 1
        return CLIENTS.has(action) ? play.treasury.clients : CHAIN.has(action.name) ? 2 : 1
      })
    },
    look,
    comeToRest: () => comeToRest(play),
  }
}

async function look(play: Play): Promise<void> {
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
    await play.look(look)
    // Long enough for every plan to expire, for what is lost to count as dropped, and once for what hangs to time out.
    clock.advance(turn === 2 ? 1_900_000 : 130_000)
    await play.request('expire', () => expireOverdue(service.parts))
    await play.look(look)
  }
  if (treasury) await workToTheEnd(play, treasury, () => play.look(look))
  await follow(play)
  await play.look(look)
  await checkRest(play)
  if (treasury) await checkAllEffects(play, treasury)
}
