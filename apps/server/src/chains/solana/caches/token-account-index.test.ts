import { expect, test } from 'vitest'
import { freshAddressOn } from '../../../../testing/chains/fresh-address.ts'
import { createTokenAccountIndex } from './token-account-index.ts'

const addresses = (count: number) => Array.from({ length: count }, () => freshAddressOn('solana'))

test('a round with the wallets and tokens of the last one builds no list of their accounts', async () => {
  const index = createTokenAccountIndex()
  const [wallets, tokens] = [addresses(3), addresses(2)]
  const accounts = await index.accountsOf({ wallets, tokens })
  expect(accounts).toHaveLength(6)
  expect(await index.accountsOf({ wallets: [...wallets], tokens: [...tokens] })).toBe(accounts)
})

test('a wallet or a token more, or another one, is found in the next round', async () => {
  const index = createTokenAccountIndex()
  const [wallets, tokens, [other, another]] = [addresses(3), addresses(2), addresses(2)]
  const before = await index.accountsOf({ wallets, tokens })
  expect(await index.accountsOf({ wallets, tokens: [...tokens, other!] })).toHaveLength(9)
  const more = await index.accountsOf({ wallets: [...wallets, other!], tokens })
  expect(more.slice(0, 6)).toEqual(before)
  expect(more.slice(6).map(index.ownerOf)).toEqual([other, other])
  const replaced = await index.accountsOf({ wallets: [...wallets, another!], tokens })
  expect(replaced.slice(6).map(index.ownerOf)).toEqual([another, another])
  expect(index.ownerOf(more[6]!)).toBeUndefined()
})
