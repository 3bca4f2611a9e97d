import { expect, test } from 'vitest'
import type { ChainLog, EvmIncludedTransaction } from '../../port/included-transaction.ts'
import { transfers } from './transfers.ts'

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const TOKEN = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const FROM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const TO = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
const amount = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const log = (change: Partial<ChainLog>): ChainLog => ({
  address: TOKEN,
  topics: [TRANSFER, topic(FROM), topic(TO)],
  data: amount(5n),
  ...change,
})
const transaction = (...logs: ChainLog[]) => ({ family: 'evm', logs }) as unknown as EvmIncludedTransaction

test('a Transfer event is a transfer between checksummed addresses, at the index of its log', () => {
  const other = log({ topics: ['0x01', topic(FROM), topic(TO)] })
  expect(transfers(transaction(other, log({})))).toEqual([
    { token: TOKEN, from: FROM, to: TO, amount: 5n, position: 1 },
  ])
})

test('minted tokens have no sender', () => {
  const minted = log({ topics: [TRANSFER, topic('0x'), topic(TO)] })
  expect(transfers(transaction(minted))).toMatchObject([{ from: undefined, to: TO }])
})

test('the event of a non-fungible token is not a transfer', () => {
  const nft = log({ topics: [TRANSFER, topic(FROM), topic(TO), amount(1n)], data: '0x' })
  expect(transfers(transaction(nft))).toEqual([])
})

test('with a list of tokens, transfers of other tokens are omitted and log positions kept', () => {
  const found = transfers(transaction(log({ address: FROM }), log({})), new Set([TOKEN]))
  expect(found).toMatchObject([{ token: TOKEN, position: 1 }])
})
