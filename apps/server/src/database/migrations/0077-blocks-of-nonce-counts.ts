import { statement } from '../migration-steps.ts'

/** Where an address's latest nonce count was seen, so that a count of a block that left the chain can be given up. */
export const steps = [
  statement('alter table chain_nonces add column if not exists latest_block bigint not null default 0'),
]
