import { expect, test } from 'vitest'
import { namesIn } from './named-addresses.ts'

const TOKEN = '0xAA00000000000000000000000000000000000000'
const VAULT = '0xBB00000000000000000000000000000000000000'
const WALLET = '0xCC00000000000000000000000000000000000000'
const provider = { name: 'Test Vaults' }
const deposit = {
  opWallet: { address: WALLET },
  token: { symbol: 'USDC', mintAddress: TOKEN },
  strategy: { name: 'Capped' },
  steps: [
    { provider, calls: [{ contract: TOKEN }] },
    { provider, calls: [{ contract: VAULT }] },
  ],
}

test('a spender has the name of the strategy and its venue, and of the step that calls it', () => {
  expect([...namesIn(deposit)]).toEqual([
    [TOKEN.toLowerCase(), 'USDC'],
    [VAULT.toLowerCase(), 'Capped of Test Vaults, step 2'],
    [WALLET.toLowerCase(), 'This wallet'],
  ])
})

test('a venue is not named twice', () => {
  const names = namesIn({ ...deposit, strategy: { name: 'Test Vaults USDC' } })
  expect(names.get(VAULT.toLowerCase())).toBe('Test Vaults USDC, step 2')
})

test('programs, which have roles for their accounts, and steps without calls name nothing', () => {
  const steps = [{ provider, calls: [{ contract: VAULT, accounts: [] }] }, { provider }]
  expect([...namesIn({ ...deposit, steps }).keys()]).toEqual([TOKEN, WALLET].map((each) => each.toLowerCase()))
})
