// Also tested elsewhere: the terms in rates and plans (venue.test.ts).
import { expect, test } from 'vitest'
import { kaminoVendor } from '../../../testing/venues/kamino-vendor.ts'
import { DEPOSIT_TERMS_OFFSETS, depositTermsOf } from './deposit-terms.ts'
import { readMarket } from './market.ts'
import { depositedSf, ONE_SF } from './price.ts'
import { readReserve } from './reserve.ts'

const { account, decoded } = kaminoVendor.reserves[0]!
const data = Buffer.from(account, 'base64')
const reserve = readReserve(decoded.address, data)
const market = readMarket('market', Buffer.from(kaminoVendor.reserves[0]!.market.account, 'base64'))
const DEPOSIT = 1n
const ANOTHER = 2n

function termsWith(
  limit: bigint,
  { status = 0, blocksShares = 0, isHalted = false, isSigned = false, ofMarket = 0n, ofReserve = 0n } = {},
) {
  const changed = Buffer.from(data)
  changed.writeBigUInt64LE(limit, DEPOSIT_TERMS_OFFSETS.limit)
  changed.writeUInt8(status, DEPOSIT_TERMS_OFFSETS.status)
  changed.writeUInt8(blocksShares, DEPOSIT_TERMS_OFFSETS.blocksShares)
  changed.writeBigUInt64LE(ofReserve, DEPOSIT_TERMS_OFFSETS.permissionedOps)
  return depositTermsOf(changed, reserve, { ...market, isHalted, hasPermissioner: isSigned, permissionedOps: ofMarket })
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

for (const one of kaminoVendor.reserves) {
  test(`${one.name}: which deposits its market must sign matches what the vendor reads`, () => {
    const read = readMarket('market', Buffer.from(one.market.account, 'base64'))
    expect(read.hasPermissioner).toBe(!/^1+$/.test(one.market.permissioningAuthority))
    expect(read.permissionedOps.toString()).toBe(one.market.permissionedOps)
    const bytes = Buffer.from(one.account, 'base64')
    expect(bytes.readBigUInt64LE(DEPOSIT_TERMS_OFFSETS.permissionedOps).toString()).toBe(one.permissionedOps)
  })
}

test('deposits that the market’s authority must sign are frozen, whether the market or the reserve asks for it', () => {
  const room = 2n ** 63n
  const frozen = { state: 'frozen', room: 0n }
  expect(termsWith(room, { isSigned: true, ofMarket: DEPOSIT })).toEqual(frozen)
  expect(termsWith(room, { isSigned: true, ofReserve: DEPOSIT })).toEqual(frozen)
  expect(termsWith(room, { isSigned: true, ofMarket: DEPOSIT | ANOTHER })).toEqual(frozen)
  // Loans are signed, or nobody is named who could sign: the program asks no depositor for a signature.
  expect(termsWith(room, { isSigned: true, ofMarket: ANOTHER, ofReserve: ANOTHER }).state).toBe('open')
  expect(termsWith(room, { ofMarket: DEPOSIT, ofReserve: DEPOSIT }).state).toBe('open')
})
