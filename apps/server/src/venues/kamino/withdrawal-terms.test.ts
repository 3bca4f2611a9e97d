// Also tested elsewhere: the terms in rates, positions and plans (venue.test.ts).
import { expect, test } from 'vitest'
import { kaminoVendor } from '../../../testing/venues/kamino-vendor.ts'
import { MARKET_OFFSETS, readMarket } from './market.ts'
import { readReserve } from './reserve.ts'
import {
  capLeft,
  isReserveHalted,
  readWithdrawalCap,
  WITHDRAWAL_TERMS_OFFSETS,
  withdrawableFrom,
} from './withdrawal-terms.ts'

const dataOf = ({ account }: { readonly account: string }) => Buffer.from(account, 'base64')

for (const { name, account, market, decoded, withdrawals } of kaminoVendor.reserves) {
  const data = Buffer.from(account, 'base64')
  const cap = readWithdrawalCap(data)

  test(`${name}: the cap and the emergency modes match what the vendor reads`, () => {
    expect(Object.fromEntries(Object.entries(cap).map(([key, value]) => [key, value.toString()]))).toEqual(
      withdrawals.cap,
    )
    expect(readMarket('market', dataOf(market)).isHalted).toBe(market.emergencyMode !== 0)
    expect(isReserveHalted(data)).toBe(market.emergencyMode !== 0)
  })

  test(`${name}: what is available beside the queue is what the vendor computes, rounded down`, () => {
    if (withdrawals.free === null) return
    const reserve = readReserve(decoded.address, data)
    const [whole] = withdrawals.free.split('.')
    const free = withdrawableFrom(reserve, { ...cap, seconds: 0n }, 0n)
    expect([BigInt(whole!) - 1n, BigInt(whole!)]).toContain(free)
  })

  test(`${name}: what of the cap is used is what the vendor computes`, () => {
    for (const { at, total } of withdrawals.used) {
      if (cap.seconds > 0n) expect(capLeft(cap, BigInt(at))).toBe(cap.capacity - BigInt(total))
    }
  })
}

test('each field is at its documented offset and nowhere else', () => {
  const data = dataOf(kaminoVendor.reserves[1]!)
  const read = (bytes: Buffer) => ({ ...readWithdrawalCap(bytes), emergencyMode: bytes.readUInt8(4_864) })
  for (const [part, offset] of Object.entries(WITHDRAWAL_TERMS_OFFSETS)) {
    const changed = Buffer.from(data)
    changed.writeUInt8(changed.readUInt8(offset) ^ 1, offset)
    const [before, after] = [read(data), read(changed)]
    const differing = Object.keys(before).filter((key) => before[key as 'total'] !== after[key as 'total'])
    expect(differing).toEqual([part])
  }
})

test('each field of the market is at its documented offset and nowhere else', () => {
  const data = dataOf(kaminoVendor.reserves[0]!.market)
  const before = readMarket('market', data)
  for (const [part, offset] of Object.entries(MARKET_OFFSETS)) {
    const changed = Buffer.from(data)
    changed.writeUInt8(changed.readUInt8(offset) ^ 1, offset)
    const after = readMarket('market', changed)
    const differing = Object.keys(before).filter((key) => before[key as 'isHalted'] !== after[key as 'isHalted'])
    expect(differing).toEqual([part])
  }
})

test('the cap limits withdrawals until its interval is over, and deposits make room', () => {
  const cap = { capacity: 100n, total: 70n, startedAt: 1_000n, seconds: 60n }
  expect(capLeft(cap, 1_059n)).toBe(30n)
  expect(capLeft(cap, 1_060n)).toBe(100n)
  // A node's clock may lag behind the account's.
  expect(capLeft(cap, 999n)).toBe(30n)
  expect(capLeft({ ...cap, total: -25n }, 1_059n)).toBe(125n)
  expect(capLeft({ ...cap, total: 130n }, 1_059n)).toBe(0n)
  expect(capLeft({ ...cap, capacity: -1n, total: -50n }, 1_059n)).toBe(0n)
  expect(capLeft({ ...cap, seconds: 0n }, 1_059n)).toBeUndefined()
})

test('an account that is no market is refused: a guess would say that it pays', () => {
  const market = dataOf(kaminoVendor.reserves[0]!.market)
  const otherKind = Buffer.from(market)
  otherKind.writeUInt8(0, 0)
  for (const wrong of [undefined, Buffer.alloc(0), market.subarray(1), otherKind])
    expect(() => readMarket('market', wrong)).toThrow(expect.objectContaining({ code: 'CHAIN_UNAVAILABLE' }))
})
