// Also tested elsewhere: what a start makes of it (../venues-file/accept-venues-file.test.ts).
import { readFileSync } from 'node:fs'
import { createPublicClient, createWalletClient, getAddress, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Market, startMarket } from '../../../testing/venues/market.ts'
import { parseVenuesFile } from './parse-venues-file.ts'
import { readListedVenue } from './read-listed-venue.ts'

const FIXED = 'erc4626:polygon:USDC'

let market: Market
beforeAll(async () => {
  market = await startMarket('polygon')
})
afterAll(() => market.stop())

const read = (kind: string, address: string) => {
  const venue = { blockchain: 'polygon', kind, address, source: 'https://vault.example' }
  const [entry] = parseVenuesFile(JSON.stringify({ version: 1, venues: [venue] }))
  return readListedVenue(market.chain, entry!)
}
const codeOf = async (kind: string, address: string) => {
  const result = await read(kind, address)
  return 'problem' in result ? result.problem.code : 'none'
}

test('an aToken is read with its pool; what only looks like one is refused', async () => {
  const { params, tokenAddress } = market.strategy('aave-v3:polygon:USDC')
  const { pool, aToken } = params as Record<'pool' | 'aToken', string>
  expect(await read('aave-v3', aToken)).toMatchObject({ token: { symbol: 'USDC' }, contracts: { pool, aToken } })
  const abi = parseAbi([
    'struct ReserveData { uint256 configuration; uint128 liquidityIndex; uint128 currentLiquidityRate; uint128 variableBorrowIndex; uint128 currentVariableBorrowRate; uint128 currentStableBorrowRate; uint40 lastUpdateTimestamp; uint16 id; address aTokenAddress; address stableDebtTokenAddress; address variableDebtTokenAddress; }',
    'function getReserveData(address asset) view returns (ReserveData)',
  ])
  const reserve = { address: pool, abi, functionName: 'getReserveData', args: [tokenAddress] }
  const [data] = (await market.chain.multicall([reserve])) as [{ variableDebtTokenAddress: string }]
  // A debt token names its pool and its token too.
  for (const address of [pool, market.strategy(FIXED).params.vault!, data.variableDebtTokenAddress])
    expect(await codeOf('aave-v3', address)).toBe('WRONG_KIND')
})

test('a vault with a cooldown is read with the escrow that it reports, and as no other kind', async () => {
  const { tokenAddress, params } = market.strategy(FIXED)
  const vault = await deploySiloVault(tokenAddress)
  const abi = parseAbi(['function escrow() view returns (address)'])
  const [escrow] = await market.chain.multicall([{ address: vault, abi, functionName: 'escrow', args: [] }])
  expect(await read('cooldown-vault', vault)).toMatchObject({ contracts: { vault, escrow } })
  for (const kind of ['erc4626', 'erc7540']) expect(await codeOf(kind, vault)).toBe('WRONG_KIND')
  // One reports no escrow, the other has no cooldown.
  const untold = market.strategy('cooldown-vault:polygon:USDC').params.vault!
  for (const address of [untold, params.vault!]) expect(await codeOf('cooldown-vault', address)).toBe('WRONG_KIND')
})

async function deploySiloVault(token: string): Promise<string> {
  const file = new URL('../../../../../packages/devnet/artifacts/weir/SiloVault.json', import.meta.url)
  const { abi, bytecode } = JSON.parse(readFileSync(file, 'utf8'))
  const account = privateKeyToAccount(await market.wallet(market.strategy(FIXED), 0n))
  const transport = http(market.devnet.url)
  const contract = { abi, bytecode, args: [token, account.address, 604_800], chain: null }
  const hash = await createWalletClient({ account, transport }).deployContract(contract)
  const { contractAddress } = await createPublicClient({ transport }).waitForTransactionReceipt({ hash })
  return getAddress(contractAddress!)
}
