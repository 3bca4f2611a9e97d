import { expect, test } from 'vitest'
import { LIVE_EVM_NETWORKS, LIVE_SOLANA_NETWORK } from '../../../apps/server/src/chains/live-networks.ts'
import { liveSeeds } from '../../../apps/server/src/venues/catalogue/live-seeds.ts'
import { sandboxList } from '../../../scripts/venues/write-sandbox-allow-list.ts'
import { allowListJson, liveAllowList, parseAllowList, RulesError, sandboxAllowList } from './index.ts'
import written from './lists/sandbox.json' with { type: 'json' }
import { venueAccountOf } from './solana/venue-account.ts'

interface Loose {
  version: number
  chains: { tokens: object[]; venues: object[]; fees: object }[]
}
const copy = () => structuredClone(written) as Loose
const refusal = (change: (list: Loose) => unknown) => {
  const list = copy()
  change(list)
  try {
    parseAllowList(list)
  } catch (error) {
    expect(error).toBeInstanceOf(RulesError)
    return (error as Error).message
  }
  throw new Error('the list was accepted')
}

test('the sandbox list matches the contracts of the embedded chains', async () => {
  expect(JSON.parse(await sandboxList())).toEqual(written)
  expect(sandboxAllowList.chains.map(({ blockchain }) => blockchain)).toEqual(['ethereum', 'polygon', 'base', 'solana'])
})

test('every live venue of the service is on the live list, which was compiled independently', () => {
  const listed = liveAllowList.chains.flatMap(({ blockchain, venues }) =>
    venues.map((venue) => {
      const place = 'contract' in venue ? venue.contract : venueAccountOf(venue)
      const mint = 'collateralMint' in venue ? venue.collateralMint : 'shareMint' in venue ? venue.shareMint : undefined
      const shares = mint === undefined ? '' : ` ${mint}`
      return `${blockchain} ${venue.protocol} ${venue.token} ${place}${shares}`
    }),
  )
  const seeds = liveSeeds(['ethereum', 'polygon', 'base', 'solana']).flatMap(({ blockchain, protocol, strategies }) =>
    strategies.map(({ token, params }) => {
      const shares = params.shareMint === undefined ? '' : ` ${params.shareMint}`
      const place = params.pool ?? params.comet ?? params.vault ?? params.reserve ?? params.lending
      return `${blockchain} ${protocol} ${token} ${place}${shares}`
    }),
  )
  expect(listed.sort()).toEqual(seeds.sort())
})

test('the live list has the service’s live chains, with their tokens', () => {
  for (const { blockchain, chainId, genesisHash, tokens } of [...LIVE_EVM_NETWORKS, LIVE_SOLANA_NETWORK]) {
    const rules = liveAllowList.chains.find((chain) => chain.blockchain === blockchain)!
    expect(rules.family === 'evm' ? rules.chainId : rules.genesisHash).toBe(chainId ?? genesisHash)
    const known = tokens.map(({ symbol, address, decimals }) => ({ symbol, address, decimals, maxAmount: null }))
    expect(rules.tokens).toEqual(known)
  }
})

test('an ambiguous list is rejected with the path of the problem', () => {
  expect(refusal((list) => Object.assign(list, { version: 2 }))).toBe('version must be 1')
  expect(refusal((list) => Object.assign(list, { chain: [] }))).toMatch(/^the list.chain is not known/)
  expect(refusal((list) => Object.assign(list, { chains: {} }))).toBe('chains must be a list')
  expect(refusal((list) => list.chains.push(list.chains[0]!))).toBe('chains has ethereum twice')
  expect(refusal(({ chains }) => Object.assign(chains[0]!, { family: 'utxo' }))).toBe(
    'chains[0].family must be evm or svm',
  )
  expect(refusal(({ chains }) => Object.assign(chains[0]!.tokens[0]!, { address: '0xabc' }))).toBe(
    'chains[0].tokens[0].address must be an address with its checksum',
  )
  expect(refusal(({ chains }) => Object.assign(chains[0]!.tokens[0]!, { maxAmount: '1.0000001' }))).toBe(
    'chains[0].tokens[0].maxAmount must be a decimal number of tokens',
  )
  expect(refusal(({ chains }) => Object.assign(chains[0]!.fees, { maxGas: 5 }))).toBe(
    'chains[0].fees.maxGas must be a whole number in quotes',
  )
  expect(refusal(({ chains }) => Object.assign(chains[0]!.venues[0]!, { token: 'DAI' }))).toBe(
    'chains[0].venues has Aave V3 USDC for DAI, which is not listed',
  )
  expect(refusal(({ chains }) => Object.assign(chains[3]!.venues[0]!, { vault: 'short' }))).toBe(
    'chains[3].venues[0].vault must be base58 of 32 bytes',
  )
})

test('a limit per transaction is read in whole tokens', () => {
  const list = copy()
  Object.assign(list.chains[0]!.tokens[0]!, { maxAmount: '2500.5' })
  expect(parseAllowList(list).chains[0]!.tokens[0]!.maxAmount).toBe(2_500_500_000n)
})

test('a list survives serialization and parsing', () => {
  const limited = copy()
  Object.assign(limited.chains[0]!.tokens[0]!, { maxAmount: '2500.5' })
  for (const list of [liveAllowList, sandboxAllowList, parseAllowList(limited)]) {
    expect(parseAllowList(allowListJson(list))).toEqual(list)
  }
})
