import { type RawBuilder, sql } from 'kysely'
import { beginningWith, type Database, type Tx } from '../database/index.ts'
import { type Clock, Failure } from '../kernel/index.ts'
import { awaitPostings } from './await-postings.ts'

/** `open` until a person accepts the difference (`accepted`) or ledger and chain agree again (`closed`). */
export const BREAK_STATUSES = ['open', 'accepted', 'closed'] as const
export type BreakStatus = (typeof BREAK_STATUSES)[number]

interface BreakAcceptance {
  readonly acceptedAt: Date
  /** The user who accepted it. */
  readonly acceptedBy: number
  readonly acceptedReason: string
}

/** The fields that a break has in every status. */
interface BreakFields {
  readonly id: number
  readonly walletId: number
  readonly walletAddress: string
  readonly walletLabel: string | null
  readonly blockchain: string
  readonly tokenAddress: string
  /** Base units that the ledger shows and the chain does not. */
  readonly amount: bigint
  /** The block at which the amount was last measured. */
  readonly blockNumber: number | null
  readonly openedAt: Date
}

/** A difference between ledger and chain, with its wallet. A closed one may have been accepted before. */
export type ListedBreak = BreakFields &
  (
    | { readonly status: 'open' }
    | { readonly status: 'accepted'; readonly acceptance: BreakAcceptance }
    | { readonly status: 'closed'; readonly closedAt: Date; readonly acceptance: BreakAcceptance | null }
  )

interface BreakPage {
  readonly items: readonly ListedBreak[]
  readonly total: number
  /** How many of all are open. */
  readonly open: number
}

const isOpen = sql`closed_at is null and accepted_at is null`
const STATUS_SQL: Readonly<Record<BreakStatus, RawBuilder<unknown>>> = {
  open: isOpen,
  accepted: sql`closed_at is null and accepted_at is not null`,
  closed: sql`closed_at is not null`,
}
const columns = sql`
  break.id, break.wallet_id as "walletId", wallet.address as "walletAddress",
  wallet.label as "walletLabel", wallet.blockchain,
  break.token_address as "tokenAddress", break.amount, break.block_number as "blockNumber",
  break.opened_at as "openedAt", break.closed_at as "closedAt", break.accepted_at as "acceptedAt",
  break.accepted_by as "acceptedBy", break.accepted_reason as "acceptedReason"`

type BreakRow = BreakFields & { readonly closedAt: Date | null } & {
  readonly [name in keyof BreakAcceptance]: BreakAcceptance[name] | null
}

function breakFrom({ closedAt, acceptedAt, acceptedBy, acceptedReason, ...fields }: BreakRow): ListedBreak {
  const acceptance = acceptedAt && { acceptedAt, acceptedBy: acceptedBy!, acceptedReason: acceptedReason! }
  if (closedAt) return { ...fields, status: 'closed', closedAt, acceptance }
  return acceptance ? { ...fields, status: 'accepted', acceptance } : { ...fields, status: 'open' }
}

const tablesOf = (breaks: RawBuilder<unknown>) => sql`${breaks} break
  join wallets wallet on wallet.organization_id = break.organization_id and wallet.id = break.wallet_id`

interface BreakQuery {
  readonly limit: number
  readonly offset: number
  readonly status?: BreakStatus | undefined
  readonly blockchain?: string | undefined
  /** The beginning of the label or the address of the wallet, in any case. */
  readonly text?: string | undefined
  /** As of this moment, by the clock of the service; now by default. */
  readonly at?: Date | undefined
}

/**
 * The breaks as they were at a moment: what was closed or accepted later was open. Amounts are the last ones measured.
 * An acceptance that a larger difference ended is not kept, so such a break shows as open.
 */
const breaksAt = (at: Date): RawBuilder<unknown> => {
  const then = (column: string, decided: string) =>
    sql`case when ${sql.ref(decided)} < ${at} then ${sql.ref(column)} end as ${sql.ref(column)}`
  return sql`(select organization_id, id, wallet_id, token_address, amount, block_number, opened_at,
    ${then('closed_at', 'closed_at')}, ${then('accepted_at', 'accepted_at')}, ${then('accepted_by', 'accepted_at')},
    ${then('accepted_reason', 'accepted_at')} from ledger_breaks where opened_at < ${at})`
}

/** Whether a break is of a wallet that a filter wants. The addresses and labels of wallets have indexes. */
function ofWantedWallet(organizationId: number, { blockchain, text }: BreakQuery): RawBuilder<unknown> {
  if (blockchain === undefined && text === undefined) return sql`true`
  const onChain = blockchain === undefined ? sql`true` : sql`blockchain = ${blockchain}`
  const begins =
    text === undefined
      ? sql`true`
      : sql`(lower(label) like ${beginningWith(text)} or lower(address) like ${beginningWith(text)})`
  return sql`break.wallet_id in (
    select id from wallets where organization_id = ${organizationId} and ${onChain} and ${begins})`
}

/**
 * The organization's breaks that match: open ones first, then accepted, then closed ones, each newest first. Error:
 * NOT_READY ({@link awaitPostings}), of a moment.
 */
export async function listBreaks(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  organizationId: number,
  query: BreakQuery,
): Promise<BreakPage> {
  const { limit, offset, status, at } = query
  if (at) await awaitPostings({ db, clock }, at)
  const breaks = at ? breaksAt(at) : sql`ledger_breaks`
  const wanted = sql`${status ? STATUS_SQL[status] : sql`true`} and ${ofWantedWallet(organizationId, query)}`
  const { rows: counts } = await sql<{ total: number; open: number }>`
    select count(*) filter (where ${wanted})::int as total, count(*) filter (where ${isOpen})::int as open
    from ${breaks} as break where organization_id = ${organizationId}
  `.execute(db)
  const { rows } = await sql<BreakRow>`
    select ${columns} from ${tablesOf(breaks)}
    where break.organization_id = ${organizationId} and ${wanted}
    order by closed_at is not null, closed_at is null and accepted_at is not null, break.id desc limit ${limit} offset ${offset}
  `.execute(db)
  return { items: rows.map(breakFrom), total: counts[0]?.total ?? 0, open: counts[0]?.open ?? 0 }
}

/** One break of the organization. Error: NOT_FOUND. */
export async function findBreak(db: Database | Tx, organizationId: number, breakId: number): Promise<ListedBreak> {
  const { rows } = await sql<BreakRow>`
    select ${columns} from ${tablesOf(sql`ledger_breaks`)} where break.organization_id = ${organizationId} and break.id = ${breakId}
  `.execute(db)
  if (!rows[0]) throw new Failure('NOT_FOUND', { message: 'The break does not exist.' })
  return breakFrom(rows[0])
}

/**
 * How many breaks are open in all organizations, for monitoring. Those of a deleted organization are left out: nobody can
 * accept them, so one would hide every later break from an alert.
 */
export async function countOpenBreaks(db: Database): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from ledger_breaks break
    join organizations o on o.id = break.organization_id and o.deleted_at is null
    where ${isOpen}
  `.execute(db)
  return rows[0]!.open
}
