import { expect, test } from 'vitest'
import { kaminoVendor } from '../../../testing/venues/kamino-vendor.ts'
import { programDerivedAddress } from '../../chains/index.ts'
import { KAMINO_PROGRAM, OFFSETS, readReserve } from './index.ts'

const SIZE = 8_624
const [, everyOracle, noOracle] = kaminoVendor.reserves.map(({ account, decoded }) => ({
  data: Buffer.from(account, 'base64'),
  decoded,
}))

for (const { name, account, decoded } of kaminoVendor.reserves) {
  test(`${name}: every field of the account matches what the vendor reads`, () => {
    const { oracles, ...fields } = readReserve(decoded.address, Buffer.from(account, 'base64'))
    const { oracles: vendorOracles, ...vendorFields } = decoded
    expect(Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, value.toString()]))).toEqual(
      vendorFields,
    )
    const used = Object.entries(vendorOracles).filter(([, address]) => !/^(1+|nu1+)$/.test(address))
    expect(Object.entries(oracles).filter(([, address]) => address !== undefined)).toEqual(used)
  })
}

test('each field is at its documented offset and nowhere else', () => {
  const { data, decoded } = everyOracle!
  const before = readReserve(decoded.address, data)
  for (const [part, offset] of Object.entries(OFFSETS)) {
    const changed = Buffer.from(data)
    changed.writeUInt8(changed.readUInt8(offset) ^ 1, offset)
    const after = readReserve(decoded.address, changed)
    const flat = (reserve: typeof before) => ({ ...reserve, ...reserve.oracles, oracles: undefined })
    const differing = Object.entries(flat(before)).filter(([key, value]) => value !== flat(after)[key as 'address'])
    expect(differing.map(([key]) => key)).toEqual([part])
  }
})

test('an oracle is omitted if its bytes are zero or the protocol’s address for none', () => {
  const { data, decoded } = noOracle!
  const none = { pyth: undefined, switchboardPrice: undefined, switchboardTwap: undefined, scope: undefined }
  expect(new Set(Object.values(decoded.oracles)).size).toBe(2)
  expect(readReserve(decoded.address, data).oracles).toEqual(none)
})

test('an account that is absent, of another size or of another kind is refused: it has no price', () => {
  const { data, decoded } = everyOracle!
  const otherKind = Buffer.from(data)
  otherKind.writeUInt8(0, 0)
  for (const wrong of [undefined, Buffer.alloc(0), data.subarray(1), Buffer.concat([data, data]), otherKind]) {
    expect(() => readReserve(decoded.address, wrong)).toThrow(expect.objectContaining({ code: 'CHAIN_UNAVAILABLE' }))
  }
})

/**
 * The first bytes of the main market's SOL reserve on mainnet on 12 August 2025, slot 359,632,276. They hold this
 * reader to what the program writes, not only to what the vendor's SDK encodes.
 */
const MAINNET_SOL = {
  reserve: 'd4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q',
  head:
    'K/LMyhr3O38BAAAAAAAAAJSNbxUAAAAAAD8AAAAAAABmeujUWFWpdVBTSSyASh5w0QBYGag6K+J2mxkNDS3hEnfpbGtamjzJKMINHFtLE/NWFh0N' +
    'dbeEouy5Rd68pomaAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGm4hX/quBhPtof2NGGMA12sQ53BrrO1WYoPAAAAAAAed+3UbWX4gj' +
    'BzT0oRp5IViJAUh9cwa5QXiYw88h9sAXIirm5zkwpsVFaMQSd+TOnXPTwBptcqvuvWqxZ0W+JdZ4RA2BRAwCAG7a3Qj2WnHCZoF9DiACAQA=',
} as const

test('the head of an account written by the program on mainnet reads as the known values', async () => {
  const data = Buffer.alloc(SIZE)
  Buffer.from(MAINNET_SOL.head, 'base64').copy(data)
  const read = readReserve(MAINNET_SOL.reserve, data)
  expect(read).toMatchObject({
    lendingMarket: '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF',
    liquidityMint: 'So11111111111111111111111111111111111111112',
    refreshedAt: 359_632_276n,
    available: 576_438_315_861_112n,
  })
  expect(read.borrowedSf >> 60n).toBe(4_540_986_912_413_292n)
  // The vaults of the first markets are derived from the market and the mint.
  const seeds = [Buffer.from('reserve_liq_supply'), { address: read.lendingMarket }, { address: read.liquidityMint }]
  expect(read.supplyVault).toBe(await programDerivedAddress(KAMINO_PROGRAM, seeds))
})
