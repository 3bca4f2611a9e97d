// Also tested elsewhere: the entries of EVM chains (../venues-file/accept-venues-file.test.ts).
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestSolana, type TestSolana } from '../../../testing/chains/test-solana.ts'
import { kaminoVendor } from '../../../testing/venues/kamino-vendor.ts'
import type { SvmChain } from '../../chains/index.ts'
import type { Fetch } from '../../chains/rpc/endpoint.ts'
import { KAMINO_PROGRAM } from '../kamino/index.ts'
import { parseVenuesFile } from './parse-venues-file.ts'
import { readListedVenue } from './read-listed-venue.ts'

/** The real adapter and the real ledger, with a reserve, its market and its token as the vendor's SDK encodes them. */
const [vendor, other] = kaminoVendor.reserves
const { address: reserve, lendingMarket, liquidityMint, supplyVault, collateralMint } = vendor!.decoded
const mint = (decimals: number) => {
  const data = Buffer.alloc(82)
  data.writeUInt8(decimals, 44)
  return data.toString('base64')
}

let solana: TestSolana
let chain: SvmChain
let accounts: Record<string, string>

const withAccounts: Fetch = async (url, init) => {
  const answers = (await (await fetch(url, init)).json()) as { id: number; result: unknown }[]
  const requests = JSON.parse(String(init.body)) as { method: string; params: [unknown] }[]
  for (const answer of answers) {
    const { method, params } = requests[answer.id]!
    if (method !== 'getMultipleAccounts') continue
    const { value } = answer.result as { value: unknown[] }
    for (const [index, address] of (params[0] as string[]).entries()) {
      if (accounts[address]) value[index] = { lamports: 1, data: [accounts[address], 'base64'] }
    }
  }
  return Response.json(answers)
}

beforeAll(async () => {
  solana = await startTestSolana()
  const real = solana.byWallets(withAccounts)
  const tokens = [{ symbol: 'USDC', name: 'USD Coin', address: liquidityMint, decimals: 6, needsZeroAllowance: false }]
  chain = { ...real, network: { ...real.network, tokens } }
  await solana.devnet.mine(1)
})
afterAll(() => solana?.stop())
beforeEach(() => {
  accounts = { [reserve]: vendor!.account, [lendingMarket]: vendor!.market.account, [liquidityMint]: mint(6) }
})

const read = (address: string = reserve) => {
  const venue = { blockchain: 'solana', kind: 'kamino', address, source: 'https://app.kamino.finance' }
  const [entry] = parseVenuesFile(JSON.stringify({ version: 1, venues: [venue] }))
  return readListedVenue(chain, entry!)
}
const codeOf = async (address?: string) => {
  const result = await read(address)
  return 'problem' in result ? result.problem.code : 'none'
}

test('a reserve of any market is read with its shares, and with what the agent’s list names', async () => {
  expect(await read()).toMatchObject({
    token: { symbol: 'USDC' },
    contracts: { program: KAMINO_PROGRAM, reserve, shareMint: collateralMint },
    forAgent: { lendingMarket, supplyVault, collateralMint },
  })
})

test('an account that is missing, is no reserve, or lends another token is refused', async () => {
  expect(await codeOf(collateralMint)).toBe('NO_CONTRACT')
  expect(await codeOf(lendingMarket)).toBe('WRONG_KIND')
  // It lends a Token-2022 token.
  accounts[other!.decoded.address] = other!.account
  expect(await codeOf(other!.decoded.address)).toBe('WRONG_KIND')
  accounts[liquidityMint] = mint(9)
  expect(await codeOf()).toBe('UNKNOWN_TOKEN')
})

test('a reserve whose market cannot be read is refused: nobody could tell whether it is halted', async () => {
  accounts[lendingMarket] = mint(6)
  expect(await codeOf()).toBe('UNREADABLE')
})
