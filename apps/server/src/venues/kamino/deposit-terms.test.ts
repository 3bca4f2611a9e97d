// Also tested elsewhere: the terms in rates and plans (venue.test.ts).
import { expect, test } from 'vitest'
import { kaminoVendor } from '../../../testing/kamino-vendor.ts'
import { DEPOSIT_TERMS_OFFSETS, depositTermsOf } from './deposit-terms.ts'
import { depositedSf, ONE_SF } from './price.ts'
import { readReserve } from './reserve.ts'

const { account, decoded } = kaminoVendor.reserves[0]!
const data = Buffer.from(account, 'base64')
const reserve = readReserve(decoded.address, data)

function termsWith(limit: bigint, { status = 0, blocksShares = 0, isHalted = false } = {}) {
  const changed = Buffer.from(data)
  changed.writeBigUInt64LE(limit, DEPOSIT_TERMS_OFFSETS.limit)
  changed.writeUInt8(status, DEPOSIT_TERMS_OFFSETS.status)
  changed.writeUInt8(blocksShares, DEPOSIT_TERMS_OFFSETS.blocksShares)
  return depositTermsOf(changed, reserve, isHalted)
}

test('the limit follows the borrow factor, which the vendor’s SDK writes as 100', () => {
  expect(data.readBigUInt64LE(DEPOSIT_TERMS_OFFSETS.limit - 8)).toBe(100n)
})

test('the room is what the total may still grow by, rounded down; a hidden reserve takes deposits', () => {
  const total = (depositedSf(reserve) + ONE_SF - 1n) / ONE_SF
  expect(termsWith(total)).toEqual({ state: 'full', room: 0n })
  expect(termsWith(total - 5n)).toEqual({ state: 'full', room: 0n })
  expect(termsWith(total + 7n)).toEqual({ state: 'open', room: 7n })
  expect(termsWith(total + 7n, { status: 2 })).toEqual({ state: 'open', room: 7n })
  expect(termsWith(total + 7n, { status: 1 })).toEqual({ state: 'frozen', room: 0n })
})

test('a reserve that mints no shares takes no deposits, and one that is halted moves nothing', () => {
  const room = 2n ** 63n
  const [written, blocking] = kaminoVendor.reserves.map((one) => Buffer.from(one.account, 'base64'))
  expect(written!.readUInt8(DEPOSIT_TERMS_OFFSETS.blocksShares)).toBe(0)
  expect(blocking!.readUInt8(DEPOSIT_TERMS_OFFSETS.blocksShares)).toBe(1)
  expect(termsWith(room, { blocksShares: 1 })).toEqual({ state: 'frozen', room: 0n })
  expect(termsWith(room, { isHalted: true, blocksShares: 1 })).toEqual({ state: 'paused', room: 0n })
})
