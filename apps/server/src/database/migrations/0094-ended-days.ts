import { statement } from '../migration-steps.ts'

/**
 * The last block of a day of a chain, with the prices at it, until the yield of every position up to it is posted: blocks
 * of the next day are settled meanwhile.
 */
export const steps = [
  statement(`
    create table if not exists ended_days (
      blockchain text not null,
      block_number bigint not null,
      block_hash text not null,
      block_time timestamptz not null,
      prices jsonb not null,
      strategy_id bigint,
      wallet_id bigint,
      primary key (blockchain, block_number)
    )
  `),
]
