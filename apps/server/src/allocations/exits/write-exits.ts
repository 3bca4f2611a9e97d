import type { Selectable } from 'kysely'
import { type ExitState, emit, type NewEvent, type Schema, type Tx } from '../../database/index.ts'
import { assert } from '../../kernel/index.ts'
import type { PositionKey, ReadingTime } from '../positions/save-position.ts'
import type { ExitAmounts } from './exit-amounts.ts'
import { EXIT, type ExitNotice, exitEventOf, OPENING_EXIT_STATE } from './exit-states.ts'

/** What one wallet requested back from one strategy and has not claimed. Base units. */
export interface Exit extends ExitAmounts {
  readonly organizationId: number
  readonly exitId: number
  readonly walletId: number
  readonly strategyId: number
  readonly state: ExitState
  readonly requested: bigint
  readonly claimed: bigint
  /** Whether a person or a client requested any of it. */
  readonly isOnRequest: boolean
  /** By the chain's clock; `null`: the protocol does not say. */
  readonly claimableAt: Date | null
  /** The block of the last reading. */
  readonly readBlock: number
}

/** The open exit of a wallet in a strategy. The caller holds the wallet's lock. */
export async function findOpenExit(tx: Tx, key: PositionKey): Promise<Exit | undefined> {
  const latest = await findLatestExit(tx, key)
  return latest?.state === 'claimed' ? undefined : latest
}

/** The latest exit of a wallet in a strategy, open or not. The caller holds the wallet's lock. */
export async function findLatestExit(tx: Tx, { wallet, strategyId }: PositionKey): Promise<Exit | undefined> {
  const row = await tx
    .selectFrom('exits')
    .selectAll()
    .where('organization_id', '=', wallet.organizationId)
    .where('wallet_id', '=', wallet.walletId)
    .where('strategy_id', '=', strategyId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && exitFrom(row)
}

const exitFrom = (row: Selectable<Schema['exits']>): Exit => ({
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
  readonly before: Exit | undefined
  readonly after: Pick<
    Exit,
    'pending' | 'claimable' | 'requested' | 'claimed' | 'isOnRequest' | 'claimableAt' | 'readBlock'
  >
  readonly time: ReadingTime
}

/** Stores an exit, moves it through its states, and emits each state that it enters. */
export async function saveExit(tx: Tx, update: ExitUpdate): Promise<void> {
  const { before, after, time } = update
  const opened = before ?? (await insertExit(tx, update))
  const notices: ExitNotice[] = before ? [] : ['exit.pending']
  let { state } = opened
  const event = exitEventOf(state, after)
  if (event !== undefined) {
    const transition = EXIT.find(state, event)
    assert(transition !== undefined, `an exit that is ${state} cannot be ${event}`)
    state = transition.to
    if (transition.emits) notices.push(transition.emits)
  }
  await tx
    .updateTable('exits')
    .set({ state, claimed_at: state === 'claimed' ? time.chainTime : null, ...columnsOf(update) })
    .where('organization_id', '=', opened.organizationId)
    .where('id', '=', opened.exitId)
    .execute()
  await emit(
    tx,
    notices.map((notice) => eventOf(opened, after, notice, time.at)),
  )
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

async function insertExit(tx: Tx, update: ExitUpdate): Promise<Exit> {
  const { wallet, strategyId, time } = update
  const row = await tx
    .insertInto('exits')
    .values({
      organization_id: wallet.organizationId,
      wallet_id: wallet.walletId,
      strategy_id: strategyId,
      state: OPENING_EXIT_STATE,
      ...columnsOf(update),
      opened_at: time.chainTime,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return exitFrom(row)
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

function eventOf(exit: Exit, after: ExitUpdate['after'], event: ExitNotice, at: Date): NewEvent {
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
export async function forgetExitReadings(tx: Tx, blockchain: string): Promise<void> {
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
