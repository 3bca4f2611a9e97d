import {
  type Hex,
  hexToBigInt,
  parseTransaction,
  serializeTransaction,
  type TransactionSerializableEIP1559,
  toHex,
} from 'viem'
import { expect, test } from 'vitest'
import { Failure, SIGNED_TRANSACTION_BYTES_MAX } from '../../../kernel/index.ts'
import type { ExpectedTransaction } from '../../port/transaction-bytes.ts'
import { account } from '../test-node.ts'
import { checkSigned } from './check-signed.ts'
import { decodeSigned } from './decode-signed.ts'

const CHAIN_ID = 31_338
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const wallet = account(0)

const planned = {
  type: 'eip1559',
  chainId: CHAIN_ID,
  nonce: 7,
  gas: 60_000n,
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1_000_000n,
  to: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  value: 5n,
  data: '0x095ea7b3',
} as const satisfies TransactionSerializableEIP1559

const plan: ExpectedTransaction = {
  sender: wallet.address,
  nonce: planned.nonce,
  call: { family: 'evm', to: planned.to, data: planned.data, value: planned.value },
}

const check = (text: string) => checkSigned(CHAIN_ID, text, plan)
const sign = (overrides: Partial<TransactionSerializableEIP1559> = {}) =>
  wallet.signTransaction({ ...planned, ...overrides })

async function failureOf(text: string): Promise<Failure> {
  const thrown = await check(text).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (thrown instanceof Failure) return thrown
  throw new Error(`expected a failure, got ${thrown}`)
}

test('the planned bytes pass in hex, bare hex, upper case and base64, always with the same hash and raw bytes', async () => {
  const raw = await sign()
  const base64 = Buffer.from(raw.slice(2), 'hex').toString('base64')
  const found = await Promise.all([raw, raw.slice(2), raw.slice(2).toUpperCase(), base64].map(check))
  for (const one of found) expect(one).toEqual(found[0])
  expect(found[0]).toMatchObject({ raw, nonce: 7, gas: 60_000n, maxFeePerGas: 2_000_000_000n })
})

test('the signer may change fees and gas', async () => {
  const raw = await sign({ gas: 90_000n, maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 9_000_000n })
  expect(await check(raw)).toMatchObject({
    gas: 90_000n,
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 9_000_000n,
  })
})

const OTHER = '0x000000000000000000000000000000000000dEaD'
const mismatches: [string, Partial<TransactionSerializableEIP1559>][] = [
  ['chainId', { chainId: 1 }],
  ['nonce', { nonce: 8 }],
  ['to', { to: OTHER }],
  ['value', { value: 6n }],
  ['data', { data: '0x095ea7b4' }],
  ['accessList', { accessList: [{ address: OTHER, storageKeys: [] }] }],
]

test.each(mismatches)('a different %s is TRANSACTION_MISMATCH and names the field', async (field, overrides) => {
  const failure = await failureOf(await sign(overrides))
  expect(failure).toMatchObject({ code: 'TRANSACTION_MISMATCH', details: { fields: [field] } })
})

test('another signer is TRANSACTION_MISMATCH at the sender, and every differing field is named', async () => {
  const raw = await account(1).signTransaction({ ...planned, nonce: 9, value: 0n })
  expect(await failureOf(raw)).toMatchObject({
    code: 'TRANSACTION_MISMATCH',
    details: { fields: ['sender', 'nonce', 'value'] },
  })
})

test('a contract creation differs in its destination', async () => {
  expect(await failureOf(await sign({ to: null }))).toMatchObject({ details: { fields: ['to'] } })
})

test('a signed transaction of another type is TRANSACTION_MISMATCH at the type', async () => {
  const { type, maxFeePerGas, maxPriorityFeePerGas, ...rest } = planned
  const legacy = await wallet.signTransaction({ ...rest, type: 'legacy', gasPrice: 1n })
  const listed = await wallet.signTransaction({ ...rest, type: 'eip2930', gasPrice: 1n })
  for (const raw of [legacy, listed]) {
    expect(await failureOf(raw)).toMatchObject({ code: 'TRANSACTION_MISMATCH', details: { fields: ['type'] } })
  }
})

test('anything but a signed transaction in canonical form is VALIDATION_ERROR at signedTransaction', async () => {
  const raw = await sign()
  const { r, s, v, yParity, ...content } = parseTransaction(raw)
  const unsigned = content as TransactionSerializableEIP1559
  const flipped = toHex(ORDER - hexToBigInt(s ?? '0x0'), { size: 32 })
  const highS = serializeTransaction(unsigned, { r: r ?? '0x', s: flipped, yParity: 1 - (yParity ?? 0) })
  const noSigner = serializeTransaction(unsigned, { r: toHex(ORDER, { size: 32 }), s: s ?? '0x', yParity: 0 })
  const bad: string[] = [
    serializeTransaction(planned),
    highS,
    noSigner,
    `${raw}00`,
    raw.slice(0, -2),
    `0x${raw.slice(4)}`,
    '0x02',
    '0x',
    '',
    '0x02c0',
    'not hex, not base64',
    'deadbee',
    `0x${'00'.repeat(SIGNED_TRANSACTION_BYTES_MAX + 1)}`,
  ]
  for (const text of bad) {
    const failure = await failureOf(text)
    expect(failure.code, text.slice(0, 40)).toBe('VALIDATION_ERROR')
    expect(failure.details, text.slice(0, 40)).toMatchObject({ issues: [{ path: 'signedTransaction' }] })
  }
})

test('a number with a leading zero is a second spelling of the same transaction and is refused', async () => {
  const raw = await sign()
  // The nonce 7 as two bytes, 82 00 07, in a list that is two bytes longer.
  const body = raw.slice(4)
  const [head, rest] = [body.slice(0, 4), body.slice(4)]
  const longer = (Number.parseInt(head.slice(2), 16) + 2).toString(16)
  const respelled: Hex = `0x02${head.slice(0, 2)}${longer}${rest.replace('827a6a07', '827a6a820007')}`
  expect(respelled.length).toBe(raw.length + 4)
  expect((await failureOf(respelled)).code).toBe('VALIDATION_ERROR')
})

test('decodeSigned returns every field of signed bytes', async () => {
  const raw = await sign()
  expect(await decodeSigned(raw)).toMatchObject({
    raw,
    sender: wallet.address,
    chainId: CHAIN_ID,
    nonce: 7,
    to: planned.to,
    data: '0x095ea7b3',
    value: 5n,
    hasAccessList: false,
  })
})
