// Also tested in: handle-waiting-deposits.test.ts (the tokens that stay).
import { expect, test } from 'vitest'
import { openRampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { returnAddressOf } from './return-address.ts'

const fixture = useFixture(openRampDatabase)

test('tokens return to their sender, otherwise to the wallet, and never to a deposit address of anybody', async () => {
  const [client, stranger] = [await fixture.organization(), await fixture.organization()]
  const own = (await client.offramp()).depositAddress!
  const theirs = (await stranger.offramp()).depositAddress!
  const [sender, wallet] = [stranger.wallet.address, client.wallet.address]
  const returned = (from: string | null, to: string, blockchain = 'base') =>
    returnAddressOf(fixture.parts.db, { blockchain, sender: from, wallet_address: to })
  expect(await returned(sender, wallet)).toBe(sender)
  expect(await returned(null, wallet)).toBe(wallet)
  expect(await returned(own, wallet)).toBe(wallet)
  expect(await returned(theirs, wallet)).toBe(wallet)
  expect(await returned(sender, theirs)).toBe(sender)
  expect(await returned(null, theirs)).toBeNull()
  expect(await returned(own, theirs)).toBeNull()
  // The same address on another chain is nobody's.
  expect(await returned(theirs, wallet, 'polygon')).toBe(theirs)
})
