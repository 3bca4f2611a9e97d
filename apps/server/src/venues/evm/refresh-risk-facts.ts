import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { isAddress, parseAbi } from 'viem'
import type { Chain, ContractRead, EvmChain } from '../../chains/index.ts'
import type { Database, StoredContractCode } from '../../database/index.ts'
import type { Clock } from '../../kernel/index.ts'
import { strategiesOnChain } from '../catalogue/find-strategies.ts'
import type { Strategy } from '../port.ts'

/**
 * Reads and saves what no venue reports: the price of each token in US dollars, and the code of each strategy's
 * contracts. Two HTTP calls at most, two statements. EVM chains only; elsewhere both stay unknown. Throws
 * CHAIN_UNAVAILABLE.
 */
export async function refreshRiskFacts(
  parts: { readonly db: Database; readonly clock: Clock },
  chain: Chain,
): Promise<void> {
  if (!isEvm(chain)) return
  const { contractCode } = chain
  const strategies = contractCode ? await strategiesOnChain(parts.db, chain.network.blockchain) : []
  const [prices, codes] = await Promise.all([
    readTokenPrices(chain),
    contractCode ? readCode(chain, contractCode, strategies) : [],
  ])
  await saveTokenPrices(parts.db, chain.network.blockchain, prices, parts.clock.now())
  await saveCode(parts.db, codes, parts.clock.now())
}

const isEvm = (chain: Chain): chain is EvmChain => chain.network.family === 'evm'

const FEED = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
])
const PRICE_DECIMALS = 8

interface TokenPrice {
  readonly tokenAddress: string
  /** 1e-8 US dollars. */
  readonly price: bigint
  readonly pricedAt: Date
}

/** A feed that is unreadable, or reports no price, is omitted: its last price becomes old, and then counts as unknown. */
async function readTokenPrices(chain: EvmChain): Promise<TokenPrice[]> {
  const priced = chain.network.tokens.filter(({ usdFeed }) => usdFeed !== undefined)
  const calls = priced.flatMap(({ usdFeed }): ContractRead[] => [
    { address: usdFeed!, abi: FEED, functionName: 'decimals' },
    { address: usdFeed!, abi: FEED, functionName: 'latestRoundData' },
  ])
  if (calls.length === 0) return []
  const results = await chain.multicall(calls)
  return priced.flatMap(({ address: tokenAddress }, index) => {
    const decimals = results[2 * index] as number | undefined
    const round = results[2 * index + 1] as readonly [bigint, bigint, bigint, bigint, bigint] | undefined
    if (decimals === undefined || round === undefined) return []
    const [, answer, , updatedAt] = round
    const price = scaled(answer, decimals)
    return price > 0n && updatedAt > 0n ? [{ tokenAddress, price, pricedAt: new Date(Number(updatedAt) * 1_000) }] : []
  })
}

const scaled = (answer: bigint, decimals: number): bigint =>
  decimals > PRICE_DECIMALS
    ? answer / 10n ** BigInt(decimals - PRICE_DECIMALS)
    : answer * 10n ** BigInt(PRICE_DECIMALS - decimals)

interface StrategyCode {
  readonly strategyId: number
  readonly contracts: readonly StoredContractCode[]
}

/**
 * The code of every contract that a strategy names, and behind a beacon the code that the beacon names. A strategy whose
 * beacon is unreadable is omitted: a guess would look like an upgrade.
 */
async function readCode(
  chain: EvmChain,
  contractCode: NonNullable<EvmChain['contractCode']>,
  strategies: readonly Strategy[],
): Promise<StrategyCode[]> {
  const owners = strategies.flatMap(({ id, params }) =>
    Object.values(params)
      .filter((param) => isAddress(param))
      .map((address) => ({ strategyId: id, address })),
  )
  const codes = await contractCode(owners.map(({ address }) => address))
  const contracts = owners.map((owner, index) => ({ ...owner, ...codes[index]! }))
  const behind = contracts.filter(({ beacon }) => beacon !== null)
  const named = behind.length === 0 ? [] : await chain.multicall(behind.map(({ beacon }) => beaconCall(beacon!)))
  const implementationOf = new Map(behind.map(({ beacon }, index) => [beacon, named[index] as string | undefined]))
  const isRead = ({ beacon }: (typeof contracts)[number]) => beacon === null || implementationOf.get(beacon)
  const byStrategy = Map.groupBy(contracts, ({ strategyId }) => strategyId)
  return [...byStrategy]
    .filter(([, own]) => own.every(isRead))
    .map(([strategyId, own]) => ({
      strategyId,
      contracts: own.map(({ address, codeHash, implementation, beacon }) => ({
        address,
        codeHash,
        implementation: implementation ?? implementationOf.get(beacon) ?? null,
        beacon,
      })),
    }))
}

const BEACON = parseAbi(['function implementation() view returns (address)'])
const beaconCall = (address: string): ContractRead => ({ address, abi: BEACON, functionName: 'implementation' })

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
    on conflict (blockchain, token_address)
      do update set price = excluded.price, priced_at = excluded.priced_at, read_at = excluded.read_at
  `.execute(db)
}

async function saveCode(db: Database, codes: readonly StrategyCode[], at: Date): Promise<void> {
  if (codes.length === 0) return
  const rows = codes.map(({ strategyId, contracts }) => ({
    strategy_id: strategyId,
    contracts,
    fingerprint: createHash('sha256').update(JSON.stringify(contracts)).digest('hex'),
  }))
  await sql`
    insert into strategy_code (strategy_id, fingerprint, contracts, changed_at, read_at)
    select strategy_id, fingerprint, contracts, ${at}, ${at}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (strategy_id bigint, fingerprint text, contracts jsonb)
    on conflict (strategy_id) do update set fingerprint = excluded.fingerprint, contracts = excluded.contracts,
      changed_at = case when strategy_code.fingerprint = excluded.fingerprint then strategy_code.changed_at
        else excluded.changed_at end,
      read_at = excluded.read_at
  `.execute(db)
}
