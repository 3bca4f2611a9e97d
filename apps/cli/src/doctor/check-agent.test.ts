// Also tested in: apps/cli/system/cli.test.ts (against a service that runs).

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hmac } from '../../../agent/src/signers/http/authenticate.ts'
import { createKeystoreSigner } from '../../../agent/src/signers/index.ts'
import { startHostileNode } from '../../../agent/testing/hostile-node.ts'
import { checkAgent } from './check-agent.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'weir-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const AWAY = { WEIR_URL: 'http://127.0.0.1:1', WEIR_API_KEY: 'svc_sandbox_x', KEYSTORE_PASSPHRASE: 'correct horse' }

/** What doctor finds in one section. */
async function find(section: string, env: Record<string, string>) {
  const sections = await checkAgent({ AGENT_DIR: temporaryFolder(), ...AWAY, ...env })
  return sections.find(({ name }) => name === section)?.findings ?? []
}

test('every wrong setting is a problem, and nothing else is asked', async () => {
  const sections = await checkAgent({ SIGNER: 'http', WEIR_API_KEYS: 'x' })
  expect(sections.map(({ name }) => name)).toEqual(['Settings of the agent'])
  expect(sections[0]!.findings.map(({ status, message }) => `${status}: ${message}`)).toEqual([
    'problem: WEIR_API_KEY or WEIR_API_KEY_FILE must be set',
    'problem: SIGNER_URL must be set when SIGNER is http',
    'problem: SIGNER_SECRET or SIGNER_SECRET_FILE must be set when SIGNER is http',
    'warning: WEIR_API_KEYS is not a setting, and is ignored',
    'skipped: everything else: it depends on the settings',
  ])
})

test('a service and chains that are away are problems that name their settings', async () => {
  expect(await find('Service', {})).toMatchObject([
    {
      status: 'problem',
      message: expect.stringContaining('http://127.0.0.1:1 does not respond'),
      remedy: 'check WEIR_URL, and that this host can reach the service',
    },
  ])
  expect((await find('Chains', {})).find(({ message }) => message.startsWith('polygon'))).toMatchObject({
    status: 'problem',
    remedy: 'check POLYGON_RPC_URL (docs/agent-settings.md)',
  })
})

test('each endpoint of a chain is asked by itself, and a problem names the one that serves another chain', async () => {
  const [right, wrong] = await Promise.all([startHostileNode(), startHostileNode()])
  onTestFinished(async () => void (await Promise.all([right.close(), wrong.close()])))
  wrong.lies.eth_chainId = '0x2105'
  const POLYGON_RPC_URL = `${right.url},${wrong.url}`
  const found = (await find('Chains', { POLYGON_RPC_URL })).filter(({ message }) => message.startsWith('polygon'))
  expect(found).toMatchObject([
    {
      status: 'problem',
      message: `polygon: RPC endpoint 2 of polygon (${new URL(wrong.url).host}) serves chain 8453, but the list says 31338`,
      remedy: 'check POLYGON_RPC_URL (docs/agent-settings.md)',
    },
  ])
  delete wrong.lies.eth_chainId
  const after = (await find('Chains', { POLYGON_RPC_URL })).filter(({ message }) => message.startsWith('polygon'))
  expect(after).toMatchObject([{ status: 'ok', message: 'polygon: the right chain' }])
})

test('a passphrase is tried on the keys of the folder', async () => {
  const KEYSTORE_DIR = join(temporaryFolder(), 'keys')
  const random = 'f3b1c77a90d24e5586aa01bc9e7d4f20'
  const signer = createKeystoreSigner(KEYSTORE_DIR, random, 'light')
  await signer.createKey({ blockchain: 'solana', family: 'svm', label: 'Payroll', reference: 'action-1' })
  const try_ = (KEYSTORE_PASSPHRASE: string) => find('Signer', { KEYSTORE_DIR, KEYSTORE_PASSPHRASE })
  expect(await try_(random)).toMatchObject([
    { status: 'ok', message: `the passphrase opens the keys in ${KEYSTORE_DIR}` },
  ])
  const wrong = await try_('hunter2')
  expect(wrong).toMatchObject([{ status: 'problem', message: expect.stringContaining('does not open the key of') }])
  expect(JSON.stringify(wrong)).not.toContain('hunter2')
})

test('a signer over HTTP must know the secret', async () => {
  const secret = 's'.repeat(32)
  const server = createServer((request, response) => {
    const body = '{"found":false}'
    const signature = hmac(secret, '200', String(request.headers['x-weir-signature']), body)
    response.writeHead(200, { 'x-weir-signature': signature }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const SIGNER_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const http = (SIGNER_SECRET: string) => find('Signer', { SIGNER: 'http', SIGNER_URL, SIGNER_SECRET })
  expect(await http(secret)).toMatchObject([
    { status: 'ok', message: `${SIGNER_URL} responds, and knows SIGNER_SECRET` },
  ])
  expect(await http('t'.repeat(32))).toMatchObject([
    { status: 'problem', message: expect.stringContaining('does not know SIGNER_SECRET') },
  ])
})

test('a pinned journal that is not there is a problem, and looking creates none', async () => {
  const AGENT_DIR = temporaryFolder()
  expect(await find('Journal', { AGENT_DIR })).toMatchObject([{ status: 'skipped' }])
  expect(await find('Journal', { AGENT_DIR, JOURNAL_ID: 'j-1' })).toMatchObject([
    { status: 'problem', message: `there is no journal in ${AGENT_DIR}, and JOURNAL_ID demands j-1` },
  ])
  expect(readdirSync(AGENT_DIR)).toEqual([])
  mkdirSync(join(AGENT_DIR, 'keys'))
  writeFileSync(join(AGENT_DIR, 'journal.sqlite'), '')
  expect(await find('Journal', { AGENT_DIR })).toMatchObject([{ status: 'ok' }])
})
