import { expect, test } from 'vitest'
import { type Block, type Chain, createEvmChain, LIVE_EVM_NETWORKS } from '../../chains/index.ts'
import { ManualClock, silentLog } from '../../kernel/index.ts'
import { findInboundTransfers } from './find-inbound-transfers.ts'

const network = LIVE_EVM_NETWORKS.find(({ blockchain }) => blockchain === 'base')!
const chain: Chain = createEvmChain({
  network,
  rpcUrls: ['http://127.0.0.1:9'],
  clock: new ManualClock(),
  log: silentLog,
})
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const FROM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const TO = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const token = network.tokens[0]!.address

const word = (hex: string) => `0x${hex.padStart(64, '0')}`
const topic = (address: string) => word(address.slice(2).toLowerCase())

/** A block whose transactions each transfer an amount of a token. */
function blockOf(...moves: { hash: string; amount?: bigint; of?: string; succeeded?: boolean }[]): Block {
  const transactions = moves.map(({ hash, amount = 5n, of = token, succeeded = true }) => ({
    family: 'evm',
    hash,
    succeeded,
    logs: [{ address: of, topics: [TRANSFER, topic(FROM), topic(TO)], data: word(amount.toString(16)) }],
  }))
  return { transactions } as unknown as Block
}

test('every transfer of a configured token is found, with its sender, amount and place', () => {
  expect(findInboundTransfers(chain, blockOf({ hash: '0x01' }, { hash: '0x02', of: FROM }))).toEqual([
    { to: TO, from: FROM, tokenAddress: token, amount: 5n, txHash: '0x01', position: 0 },
  ])
})

test('a failed transaction moves nothing, whatever a node says about its logs', () => {
  const block = blockOf({ hash: '0x01', succeeded: false }, { hash: '0x02' })
  expect(findInboundTransfers(chain, block)).toMatchObject([{ txHash: '0x02' }])
})

test('a transfer of nothing is not a deposit', () => {
  expect(findInboundTransfers(chain, blockOf({ hash: '0x01', amount: 0n }))).toEqual([])
})
