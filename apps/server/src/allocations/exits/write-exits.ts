import { type Selectable, sql } from 'kysely'
import {
  type BatchedCall,
  batchedEffect,
  type CallBatcher,
  type ExitState,
  emit,
  type NewEvent,
  type Schema,
  type Tx,
} from '../../database/index.ts'
import { assert } from '../../kernel/index.ts'
import type { PositionKey, ReadingTime } from '../positions/save-position.ts'
import type { ExitAmounts } from './exit-amounts.ts'
import { EXIT, type ExitNotice, exitEventOf, OPENING_EXIT_STATE } from './exit-states.ts'

/** The fields that an exit has in every state. Base units. */
interface ExitFields {
  readonly organizationId: number
  readonly exitId: number
  readonly walletId: number
  readonly strategyId: number
  readonly requested: bigint
  readonly claimed: bigint
  /** Whether a person or a client requested any of it. */
  readonly isOnRequest: boolean
  /** The block of the last reading. */
  readonly readBlock: number
}

interface Waiting extends ExitAmounts {
  /** By the chain's clock; `null`: the protocol does not say. */
  readonly claimableAt: Date | null
}

interface ExitStates {
  pending: Waiting
  claimable: Waiting
  /** Nothing waits. */
  claimed: object
}

/** An exit in one state, with the fields that exist in it. */
type ExitIn<State extends ExitState> = {
  [Each in State]: ExitFields & { readonly state: Each } & ExitStates[Each]
}[State]

/** What one wallet requested back from one strategy; its state determines which other fields it has. */
type Exit = ExitIn<ExitState>
type OpenExit = ExitIn<'pending' | 'claimable'>

/** The latest exits of wallets in strategies, open or not, in their order. The caller holds the wallets' locks. */
async function findLatestExits(tx: Tx, keys: readonly PositionKey[]): Promise<(Exit | undefined)[]> {
  const rows = await tx
    .selectFrom('exits')
    .selectAll()
    .distinctOn(['organization_id', 'wallet_id', 'strategy_id'])
    .where(
      sql<boolean>`(organization_id, wallet_id, strategy_id) in (select * from unnest(
        ${keys.map(({ wallet }) => wallet.organizationId)}::bigint[],
        ${keys.map(({ wallet }) => wallet.walletId)}::bigint[],
        ${keys.map(({ strategyId }) => strategyId)}::bigint[]))`,
    )
    .orderBy('organization_id')
    .orderBy('wallet_id')
    .orderBy('strategy_id')
    .orderBy('id', 'desc')
    .execute()
  const byPosition = new Map(rows.map((row) => [`${row.wallet_id} ${row.strategy_id}`, exitFrom(row)]))
  return keys.map(({ wallet, strategyId }) => byPosition.get(`${wallet.walletId} ${strategyId}`))
}

/** {@link findLatestExits}, for one of several works. */
export const FIND_LATEST_EXIT: BatchedCall<PositionKey, Exit | undefined> = { run: findLatestExits }

/** The open exit of a wallet in a strategy. The caller holds the wallet's lock. */
export async function findOpenExit(calls: CallBatcher, key: PositionKey): Promise<OpenExit | undefined> {
  const latest = await calls.call(FIND_LATEST_EXIT, key)
  return latest?.state === 'claimed' ? undefined : latest
}

/** A row as an exit in its state. One that is claimed and still waits for something is a defect. */
export function exitFrom(row: Selectable<Schema['exits']>): Exit {
  assert(row.state !== 'claimed' || row.pending + row.claimable === 0n, `exit ${row.id} is claimed, and nothing waits`)
  return storedExitFrom(row) as Exit
}

const storedExitFrom = (row: Selectable<Schema['exits']>): ExitFields & Waiting & { readonly state: ExitState } => ({
  organizationId: row.organization_id,
  exitId: row.id,
  walletId: row.wallet_id,
  strategyId: row.strategy_id,
  state: row.state,
  pending: row.pending,
  claimable: row.claimable,
  requested: row.requested,
  claimed: row.claimed,
  isOnRequest: row.on_request,
  claimableAt: row.claimable_at,
  readBlock: row.read_block,
})

export interface ExitUpdate extends PositionKey {
  /** Undefined: the wallet has no open exit there. */
  readonly before: OpenExit | undefined
  readonly after: Waiting & Pick<ExitFields, 'requested' | 'claimed' | 'isOnRequest' | 'readBlock'>
  readonly time: ReadingTime
}

/** Stores different exits, moves them through their states, and emits each state that they enter. */
export async function saveExits(tx: Tx, updates: readonly ExitUpdate[]): Promise<void> {
  const inserted = await insertExits(
    tx,
    updates.filter(({ before }) => !before),
  )
  const saved = updates.map((update) => {
    const opened = update.before ?? inserted.get(update)!
    const event = exitEventOf(opened.state, update.after)
    const transition = event && EXIT.find(opened.state, event)
    assert(event === undefined || transition, `an exit that is ${opened.state} cannot be ${event}`)
    const entered = transition?.emits ? [transition.emits] : []
    const notices: ExitNotice[] = update.before ? entered : ['exit.pending', ...entered]
    return { update, opened, state: transition?.to ?? opened.state, notices }
  })
  await updateExits(tx, saved)
  await emit(
    tx,
    saved.flatMap(({ update, opened, notices }) =>
      notices.map((notice) => eventOf(opened, update.after, notice, update.time.at)),
    ),
  )
}

/** {@link saveExits}, for one of several works. */
export const SAVE_EXIT = batchedEffect<ExitUpdate>(saveExits)

interface SavedExit {
  readonly update: ExitUpdate
  readonly opened: OpenExit
  readonly state: ExitState
}

async function updateExits(tx: Tx, saved: readonly SavedExit[]): Promise<void> {
  const columns = saved.map(({ update }) => columnsOf(update))
  const of = <K extends keyof ReturnType<typeof columnsOf>>(column: K) => columns.map((row) => row[column])
  await sql`
    update exits e set state = u.state, claimed_at = u.claimed_at, pending = u.pending, claimable = u.claimable,
      requested = u.requested, claimed = u.claimed, on_request = u.on_request, claimable_at = u.claimable_at,
      read_block = u.read_block, read_at = u.read_at, updated_at = u.updated_at
    from unnest(${saved.map(({ opened }) => opened.organizationId)}::bigint[],
      ${saved.map(({ opened }) => opened.exitId)}::bigint[], ${saved.map(({ state }) => state)}::text[],
      ${saved.map(({ state, update }) => (state === 'claimed' ? update.time.chainTime : null))}::timestamptz[],
      ${of('pending')}::numeric[], ${of('claimable')}::numeric[], ${of('requested')}::numeric[],
      ${of('claimed')}::numeric[], ${of('on_request')}::boolean[], ${of('claimable_at')}::timestamptz[],
      ${of('read_block')}::bigint[], ${of('read_at')}::timestamptz[], ${of('updated_at')}::timestamptz[])
      as u(organization_id, id, state, claimed_at, pending, claimable, requested, claimed, on_request, claimable_at,
        read_block, read_at, updated_at)
    where e.organization_id = u.organization_id and e.id = u.id
  `.execute(tx)
}

const columnsOf = ({ after, time }: ExitUpdate) => ({
  pending: after.pending,
  claimable: after.claimable,
  requested: after.requested,
  claimed: after.claimed,
  on_request: after.isOnRequest,
  claimable_at: after.claimableAt,
  read_block: after.readBlock,
  read_at: time.chainTime,
  updated_at: time.at,
})

async function insertExits(tx: Tx, updates: readonly ExitUpdate[]): Promise<Map<ExitUpdate, OpenExit>> {
  if (updates.length === 0) return new Map()
  const rows = await tx
    .insertInto('exits')
    .values(
      updates.map((update) => ({
        organization_id: update.wallet.organizationId,
        wallet_id: update.wallet.walletId,
        strategy_id: update.strategyId,
        state: OPENING_EXIT_STATE,
        ...columnsOf(update),
        opened_at: update.time.chainTime,
      })),
    )
    .returningAll()
    .execute()
  const byPosition = new Map(rows.map((row) => [`${row.wallet_id} ${row.strategy_id}`, openExitFrom(row)]))
  return new Map(updates.map((update) => [update, byPosition.get(`${update.wallet.walletId} ${update.strategyId}`)!]))
}

function openExitFrom(row: Selectable<Schema['exits']>): OpenExit {
  const exit = exitFrom(row)
  assert(exit.state !== 'claimed', 'an exit opens in a state that is open')
  return exit
}

/** The outbox data of an exit; amounts in base units. */
export interface ExitEventData extends Record<string, unknown> {
  readonly exitId: number
  readonly walletId: number
  readonly strategyId: number
  readonly pending: string
  readonly claimable: string
  readonly claimed: string
  readonly claimableAt: string | null
}

function eventOf(exit: OpenExit, after: ExitUpdate['after'], event: ExitNotice, at: Date): NewEvent {
  const { organizationId, exitId, walletId, strategyId } = exit
  const data: ExitEventData = {
    exitId,
    walletId,
    strategyId,
    pending: after.pending.toString(),
    claimable: after.claimable.toString(),
    claimed: after.claimed.toString(),
    claimableAt: after.claimableAt?.toISOString() ?? null,
  }
  return { organizationId, event, objectType: 'exit', objectId: exitId, data, at }
}

/** The block of the last reading, if it is in no block of the chain any longer. */
export const LOST_BLOCK = -1

/** Forgets in which blocks the exits of a chain were read, because final blocks of it were lost. */
export async function clearExitReadings(tx: Tx, blockchain: string): Promise<void> {
  await tx
    .updateTable('exits')
    .set({ read_block: LOST_BLOCK })
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('wallets')
          .select('wallets.id')
          .whereRef('wallets.organization_id', '=', 'exits.organization_id')
          .whereRef('wallets.id', '=', 'exits.wallet_id')
          .where('wallets.blockchain', '=', blockchain),
      ),
    )
    .execute()
}

/** Ends every open exit of a wallet whose development chain is gone. The caller holds the wallet's lock. */
export async function closeExitsOfLostChain(
  tx: Tx,
  { organizationId, walletId }: PositionKey['wallet'],
  at: Date,
): Promise<void> {
  const { to } = EXIT.find('pending', 'chain_reset')!
  await tx
    .updateTable('exits')
    .set({ state: to, pending: 0n, claimable: 0n, claimed_at: at, updated_at: at })
    .where('organization_id', '=', organizationId)
    .where('wallet_id', '=', walletId)
    .where('state', 'in', EXIT.statesBefore('chain_reset'))
    .execute()
}
