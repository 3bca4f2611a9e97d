import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Chain } from '../chains/index.ts'
import { type Database, holdsLease } from '../database/index.ts'
import { addMilliseconds, BREAKER_FACTS_AGE_MAX_MS, type Clock } from '../kernel/index.ts'
import { strategiesOnChain } from './catalogue/find-strategies.ts'
import { readEvmRiskFacts } from './facts/read-evm-risk-facts.ts'
import { readSvmRiskFacts } from './facts/read-svm-risk-facts.ts'
import type { RiskFacts, StrategyCode, TokenPrice } from './risk-facts.ts'

/**
 * Reads and saves what no venue reports: the price of each token in US dollars, and the code of each strategy's
 * contracts; nothing if another process follows the chain meanwhile. Four HTTP calls at most, two statements. Throws CHAIN_UNAVAILABLE.
 */
export async function refreshRiskFacts(
  parts: { readonly db: Database; readonly clock: Clock },
  chain: Chain,
): Promise<void> {
  const { blockchain } = chain.network
  const strategies = await strategiesOnChain(parts.db, blockchain)
  const { prices, codes } = await readRiskFacts(chain, strategies)
  await saveTokenPrices(parts.db, blockchain, prices, parts.clock.now())
  await saveCode(parts.db, codes, parts.clock.now())
}

async function readRiskFacts(...asked: Parameters<typeof readEvmRiskFacts>): Promise<RiskFacts> {
  return (await readEvmRiskFacts(...asked)) ?? (await readSvmRiskFacts(...asked)) ?? { prices: [], codes: [] }
}

/**
 * A node that lags reports an older price than is known: the newer one stays. Once that has not been read again for so
 * long that it counts as unknown, its feed was replaced or the chain was reset, and any price is better.
 */
async function saveTokenPrices(
  db: Database,
  blockchain: string,
  prices: readonly TokenPrice[],
  at: Date,
): Promise<void> {
  if (prices.length === 0) return
  await sql`
    insert into token_prices (blockchain, token_address, price, priced_at, read_at)
    select ${blockchain}, token_address, price, priced_at, ${at}
    from unnest(
      ${prices.map(({ tokenAddress }) => tokenAddress)}::text[],
      ${prices.map(({ price }) => price)}::numeric[],
      ${prices.map(({ pricedAt }) => pricedAt)}::timestamptz[]
    ) as r (token_address, price, priced_at)
    where ${holdsLease(db)}
    on conflict (blockchain, token_address)
      do update set price = excluded.price, priced_at = excluded.priced_at, read_at = excluded.read_at
      where excluded.priced_at >= token_prices.priced_at
        or token_prices.read_at < ${addMilliseconds(at, -BREAKER_FACTS_AGE_MAX_MS)}
  `.execute(db)
}

/**
 * The fingerprint stays while nothing that was read before is different: code behind a vault that is read for the first
 * time, because the previous version did not read it, is no upgrade. Where it was read once and is unreadable now, what was
 * saved stays and gets old.
 */
async function saveCode(db: Database, codes: readonly StrategyCode[], at: Date): Promise<void> {
  if (codes.length === 0) return
  const rows = codes.map(({ strategyId, contracts: own, behind }) => {
    const isRead = behind !== 'unread'
    const contracts = isRead && behind ? [...own, behind] : own
    const fingerprint = createHash('sha256').update(JSON.stringify(contracts)).digest('hex')
    return { strategy_id: strategyId, own, contracts, is_read: isRead, fingerprint }
  })
  await sql`
    insert into strategy_code (strategy_id, fingerprint, contracts, changed_at, read_at)
    select r.strategy_id, case when c.contracts in (r.own, r.contracts) then c.fingerprint else r.fingerprint end,
      r.contracts, ${at}, ${at}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (strategy_id bigint, own jsonb, contracts jsonb, is_read boolean, fingerprint text)
      left join strategy_code c on c.strategy_id = r.strategy_id
    where (r.is_read or c.strategy_id is null or jsonb_array_length(c.contracts) <= jsonb_array_length(r.own))
      and ${holdsLease(db)}
    on conflict (strategy_id) do update set fingerprint = excluded.fingerprint, contracts = excluded.contracts,
      changed_at = case when strategy_code.fingerprint = excluded.fingerprint then strategy_code.changed_at
        else excluded.changed_at end,
      read_at = excluded.read_at
  `.execute(db)
}
