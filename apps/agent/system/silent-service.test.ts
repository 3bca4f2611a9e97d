import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../server/testing/until.ts'
import { startAgent } from '../src/agent.ts'
import { systemClock } from '../src/clock.ts'
import { readConfig } from '../src/config.ts'
import { openJournal } from '../src/journal/index.ts'
import { startFakeServer } from '../testing/fake-server.ts'
import { startHostileNode } from '../testing/hostile-node.ts'
import { SIGNER_SECRET } from '../testing/hostile-world.ts'

test('an agent that starts while its service is silent first sends what it had signed', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-silent-'))
  const journal = openJournal(dir, systemClock)
  for (const nonce of [1, 2]) {
    journal.recordSigned({
      transactionId: nonce,
      operationId: nonce,
      blockchain: 'polygon',
      signer: '0xme',
      unsigned: '0x',
      raw: `0x0${nonce}`,
      hash: `0xhash${nonce}`,
      nonce,
      meaning: '{}',
      venue: 'Aave V3 USDC',
      leaseToken: null,
      genesis: '0x9e9e',
      height: null,
    })
  }
  journal.close()
  const node = await startHostileNode()
  const asked: string[] = []
  const service = await startFakeServer(({ url = '' }) => {
    // The other chains are the service's own; they do not hold up the start.
    if (url.startsWith('/sandbox/')) throw new Error('no node')
    asked.push(url)
    return new Promise(() => {})
  })
  const starting = startAgent(
    readConfig({
      WEIR_URL: service.url,
      WEIR_API_KEY: 'svc_silent',
      AGENT_DIR: dir,
      SIGNER: 'http',
      SIGNER_URL: 'http://127.0.0.1:1',
      SIGNER_SECRET,
      POLYGON_RPC_URL: node.url,
      AGENT_PORT: '0',
      LOG_LEVEL: 'silent',
    }),
  )
  await until(() => node.sent.includes('0x01') && node.sent.includes('0x02'))
  // The start waits for the first poll, as long as it takes.
  expect(asked.filter((path) => path.endsWith('/poll'))).toEqual(['/api/agent/actions/poll'])
  await service.close()
  const agent = await starting
  agent.stop()
  await agent.ended
  await node.close()
  rmSync(dir, { recursive: true })
})
