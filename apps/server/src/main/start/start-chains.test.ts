import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSolana, type TestSolana } from '../../../testing/chains/test-solana.ts'
import { startTestNode, type TestNode } from '../../chains/evm/test-node.ts'
import { readConfig } from '../../config.ts'
import { silentLog, systemClock } from '../../kernel/index.ts'
import { startChains } from './start-chains.ts'

const SECRET = 'x'.repeat(32)
const live = {
  SERVICE_ENV: 'live',
  DATABASE_URL: 'postgres://localhost/weir',
  JWT_SECRET: SECRET,
  API_KEY_PEPPER: SECRET,
  ENCRYPTION_KEY: '0'.repeat(64),
}
const parts = { clock: systemClock, log: silentLog, isRegistered: async () => false, onExit: () => {} }
const start = (env: Record<string, string>) => startChains(readConfig(env), parts)

let solana: TestSolana
let node: TestNode
beforeAll(async () => {
  ;[solana, node] = await Promise.all([startTestSolana(), startTestNode()])
})
afterAll(() => Promise.all([solana?.stop(), node?.stop()]))

test('the service does not start on an endpoint of another cluster or chain, in live or in sandbox', async () => {
  const { url } = solana.devnet
  const another = `SOLANA_RPC_URL: ${new URL(url).host} serves another chain: getGenesisHash is ${solana.devnet.deployment.genesisHash}`
  await expect(start({ ...live, SOLANA_RPC_URL: url })).rejects.toThrow(another)
  await expect(start({ SOLANA_RPC_URL: url })).rejects.toThrow(another)
  await expect(start({ ...live, POLYGON_RPC_URL: node.url })).rejects.toThrow(
    `POLYGON_RPC_URL: ${new URL(node.url).host} serves another chain: eth_chainId is 0x7a6a; set it to an endpoint of polygon`,
  )
})

test('an unavailable endpoint does not prevent the start', async () => {
  const started = await start({ ...live, SOLANA_RPC_URL: 'http://127.0.0.1:1' })
  expect(started.remote).toEqual(['solana'])
  expect(started.embedded).toBeUndefined()
  const { network } = started.chains.get('solana')!
  expect(network).toMatchObject({ follow: 'wallets', finality: 'tag', chainId: undefined })
})
