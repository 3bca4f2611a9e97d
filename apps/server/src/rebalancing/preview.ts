import { Failure, later } from '../kernel/index.ts'
import type { OperationalWallet } from '../wallets/index.ts'
import type { RebalanceParts } from './parts.ts'
import { pausedUntil } from './pause.ts'
import { type Plan, plan, type Situation } from './planner.ts'
import { type Facts, readPage } from './read-page.ts'
import { seePage } from './see-page.ts'
import { situationOf } from './situation.ts'

/** A wallet's buffer and switch as they might be. */
export interface WhatIf {
  readonly opWallet: OperationalWallet
  /** Base units. */
  readonly buffer?: bigint | undefined
  readonly enableYield?: boolean | undefined
}

export interface Preview extends Plan {
  readonly situation: Situation
  /** An operation of the wallet that has to end first. */
  readonly waitsFor: number | undefined
  /** The last move was rejected or failed, and so long nothing is planned by itself. */
  readonly pausedUntil: Date | undefined
}

/** What the rebalancer would do, from and to where, and why; changes nothing (decisions 10). Error: CHAIN_UNAVAILABLE. */
export async function previewRebalance(
  parts: RebalanceParts,
  { opWallet, buffer, enableYield }: WhatIf,
): Promise<Preview> {
  const now = parts.clock.now()
  const [stored] = await readPage(parts.db, [opWallet.opWalletId], later(now, -parts.rebalancing.withdrawHoldMs))
  if (!stored) throw new Failure('WALLET_NOT_FOUND')
  const facts: Facts = {
    ...stored,
    busyWith: undefined,
    opWallet: { ...opWallet, buffer: buffer ?? opWallet.buffer, enableYield: enableYield ?? opWallet.enableYield },
  }
  const seen = await seePage(parts, [facts])
  const market = seen.marketOf(facts)
  const onChain = seen.balanceOf(facts)
  if (!market || onChain === undefined) throw new Failure('CHAIN_UNAVAILABLE')
  const free = onChain > facts.reserved ? onChain - facts.reserved : 0n
  const found = { facts, market, onChain: free, rooms: seen.roomsOf(facts), holdings: seen.holdingsOf(facts) }
  const situation = situationOf(found, parts.rebalancing)
  const planned = plan(situation)
  const [move] = planned.moves
  const isChanged = facts.opWallet.buffer !== opWallet.buffer || facts.opWallet.enableYield !== opWallet.enableYield
  return {
    ...planned,
    situation,
    waitsFor: stored.busyWith?.operationId,
    pausedUntil: isChanged || !move ? undefined : pausedUntil(stored, move.type, market.fingerprint, now),
  }
}
