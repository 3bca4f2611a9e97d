import { CompiledQuery } from 'kysely'
import { GOOD_NODES } from '../service/node.ts'
import { changed, replaced } from '../service/rewrite.ts'
import type { BrokenRule } from './broken-rule.ts'

/** Days end while clients move what they deposited. */
const LONG = {
  faults: GOOD_NODES,
  often: ['mine', 'follow the chain', 'plan a supply', 'submit the next transaction', 'advance the chain’s time'],
} as const

const ENDED = 'select * from "ended_days"'

/** Ended days with the latest prices instead of their own. */
const AT_LATEST_PRICES = `select blockchain, block_number, block_hash, block_time, strategy_id, wallet_id, (
    select jsonb_agg(jsonb_build_object('strategyId', s.id, 'price', s.price::text))
    from strategies s where s.price is not null) as prices
  from "ended_days"`

const dayAfter = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

/** Broken rules of days that end. */
export const BROKEN_DAYS: readonly BrokenRule[] = [
  {
    rule: 6,
    name: 'an ended day is valued at the price of a later block',
    seed: 12,
    emphasis: LONG,
    finds: /is worth \d+ at the end of/,
    sabotage: { statement: replaced(ENDED, AT_LATEST_PRICES) },
  },
  {
    rule: 6,
    name: 'an ended day is valued at the price of a later block, on Solana',
    seed: 12,
    emphasis: { ...LONG, chain: 'solana' },
    finds: /is worth \d+ at the end of/,
    sabotage: { statement: replaced(ENDED, AT_LATEST_PRICES) },
  },
  {
    rule: 6,
    name: 'a block of the next day moves a position whose day is not posted',
    seed: 1,
    emphasis: LONG,
    finds: /and has no snapshot of it/,
    sabotage: {
      statement: changed(ENDED, (query) =>
        query.parameters.includes(Number.MAX_SAFE_INTEGER) ? query : CompiledQuery.raw(`${ENDED} where false`),
      ),
    },
  },
  {
    rule: 6,
    name: 'the yield of a day is entered in a block of the next one',
    seed: 1,
    emphasis: LONG,
    finds: /deployed at the end of/,
    sabotage: {
      statement: changed('insert into ledger_entries', (query) => {
        const [lines, heads] = query.parameters.map((one) => JSON.parse(String(one)) as Record<string, unknown>[])
        const later = heads!.map((entry) =>
          entry.kind === 'yield' ? { ...entry, block_number: Number(entry.block_number) + 1 } : entry,
        )
        return CompiledQuery.raw(query.sql, [JSON.stringify(lines), JSON.stringify(later)])
      }),
    },
  },
  {
    rule: 6,
    name: 'the yield of a day includes that of earlier ones',
    seed: 1,
    emphasis: LONG,
    finds: /earned \d+ before .* on it, and \d+ in all/,
    sabotage: { statement: replaced('order by b.day desc limit 1', 'order by b.day limit 1') },
  },
  {
    rule: 6,
    name: 'a day is posted as the next one, which has not ended',
    seed: 1,
    emphasis: LONG,
    finds: /which has not ended/,
    sabotage: {
      statement: changed('insert into yield_snapshots', ({ sql, parameters }) =>
        CompiledQuery.raw(
          sql,
          parameters.map((each) => (typeof each === 'string' ? dayAfter(each) : each)),
        ),
      ),
    },
  },
  {
    rule: 6,
    name: 'a day that ended is never posted',
    seed: 1,
    emphasis: LONG,
    finds: /is still not posted/,
    sabotage: { statement: changed(ENDED, () => CompiledQuery.raw(`${ENDED} where false`)) },
  },
  {
    rule: 6,
    name: 'what a position earned is missing in its snapshots',
    seed: 1,
    emphasis: LONG,
    finds: /earned 0 until .*, and its price \d+/,
    sabotage: {
      statement: changed('insert into yield_snapshots', ({ sql, parameters }) => {
        const earned = parameters.at(-1) as readonly bigint[]
        return CompiledQuery.raw(sql, [...parameters.slice(0, -1), earned.map(() => 0n)])
      }),
    },
  },
]
