// Makes apps/server/testing/fixtures/upgrade-0024 from a service of an earlier version, as described in its README.
//   node apps/server/testing/programs/write-upgrade-fixture.ts drive DATA_DIR   puts a running service into all states
//   node apps/server/testing/programs/write-upgrade-fixture.ts dump DATA_DIR    writes the fixture of a stopped service
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import pg from 'pg'
import { type Hex, parseTransaction } from 'viem'
import { findRunningPostgres, startEmbeddedPostgres } from '../../src/database/index.ts'
import { silentLog } from '../../src/kernel/index.ts'
import { type FixtureWallet, keyOf, UPGRADE_FIXTURE, type UpgradeFixture } from '../fixtures/upgrade-fixture.ts'

type Json = ReturnType<typeof JSON.parse>

interface Caller {
  get(path: string): Promise<Json>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Json>
  put(path: string, body: unknown): Promise<Json>
}

function caller(baseUrl: string, credential: Record<string, string>): Caller {
  async function call(method: string, path: string, body?: unknown, headers = {}): Promise<Json> {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { ...credential, ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    const parsed = text === '' ? undefined : JSON.parse(text)
    return parsed?.success === true && 'data' in parsed ? parsed.data : parsed
  }
  return {
    get: (path) => call('GET', path),
    post: (path, body, headers) => call('POST', path, body, headers),
    put: (path, body) => call('PUT', path, body),
  }
}

async function waitFor<T>(what: string, check: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const found = await check()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${what} did not happen`)
}

const sign = (account: FixtureWallet['account'], unsigned: string): Promise<Hex> =>
  account.signTransaction(parseTransaction(unsigned as Hex) as Parameters<typeof account.signTransaction>[0])

async function drive(dataDir: string): Promise<void> {
  const credentials = JSON.parse(readFileSync(join(dataDir, 'sandbox-credentials.json'), 'utf8'))
  const { baseUrl, email, password } = credentials
  const session = await caller(baseUrl, {}).post('/api/core/auth/login', { email, password })
  const owner = caller(baseUrl, { authorization: `Bearer ${session.accessToken}` })
  const chains = ['solana', 'polygon', 'ethereum', 'base']
  const profile = await owner.post('/api/core/wallet-profiles', {
    name: 'Patient',
    enabledChains: chains,
    operationTimeoutSeconds: 3_600,
  })
  const { apiKey: profileApiKey } = await owner.post('/api/core/apikeys/generate', {
    name: 'Patient',
    walletProfileId: profile.id,
  })
  const client = caller(baseUrl, { 'x-api-key': profileApiKey })
  const agent = caller(baseUrl, { 'x-api-key': credentials.organizationApiKey })

  // A receiver that is down: deliveries stay pending.
  const webhook = await owner.post('/api/core/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'] })
  await owner.post('/api/core/members', { email: 'viewer@weir.example', password, role: 'viewer' })
  await owner.post('/api/core/members', { email: 'approver@weir.example', password, role: 'approver' })
  await owner.post('/api/core/custody/actions/create-wallet', { blockchain: 'polygon', label: 'Cold' })

  const strategies = (await client.get('/v1/venues')).venues.flatMap((venue: Json) =>
    venue.strategies.map((strategy: Json) => ({
      ...strategy,
      blockchain: venue.blockchain,
      protocol: venue.protocol,
    })),
  )
  const aave = (blockchain: string) =>
    strategies.find((one: Json) => one.blockchain === blockchain && one.protocol === 'aave-v3' && one.token === 'USDC')
  const fund = (walletAddress: string, blockchain: string, usdc: number) =>
    client.post('/v1/sandbox/faucet', { walletAddress, blockchain, token: 'USDC', amount: `${usdc}000000` })

  /** A wallet of the patient profile with USDC. */
  async function wallet(name: string, blockchain: string, usdc: number) {
    const { account } = keyOf(name)
    const { walletId } = await client.post('/v1/wallets/register', { walletAddress: account.address, blockchain })
    await fund(account.address, blockchain, usdc)
    const strategy = aave(blockchain)
    const plan = (amount: number, headers?: Record<string, string>) =>
      client.post(
        '/v1/operations/supply',
        { walletId, strategyId: strategy.strategyId, tokenAddress: strategy.tokenAddress, amount: `${amount}000000` },
        headers,
      )
    async function submit(operation: Json, count = operation.transactions.length) {
      for (const { unsignedTransaction } of operation.transactions.slice(0, count)) {
        const signedTransaction = await sign(account, unsignedTransaction)
        await client.post('/v1/transactions/submit-signed', { operationId: operation.operationId, signedTransaction })
      }
    }
    const ended = (operation: Json, ...statuses: string[]) =>
      waitFor(`${statuses} of ${operation.operationId}`, async () =>
        statuses.includes((await client.get(`/v1/operations/${operation.operationId}`)).status),
      )
    return { account, walletId, plan, submit, ended }
  }

  const saver = await wallet('saver', 'polygon', 1_000)
  const supplied = await saver.plan(400)
  await saver.submit(supplied)
  await saver.ended(supplied, 'CONFIRMED')

  const canceller = await wallet('canceller', 'base', 1_000)
  const cancelled = await canceller.plan(100)
  await client.post(`/v1/operations/${cancelled.operationId}/cancel`)
  // Delayed for some blocks: the cancellation arrives while the submitted approval is still in flight.
  await client.post('/v1/sandbox/chain-faults', { blockchain: 'base', fault: 'delay_next', count: 1 })
  const abandoned = await canceller.plan(150)
  await canceller.submit(abandoned, 1)
  await client.post(`/v1/operations/${abandoned.operationId}/cancel`).catch((error) => console.log(String(error)))

  const unlucky = await wallet('unlucky', 'ethereum', 500)
  await client.post('/v1/sandbox/chain-faults', { blockchain: 'ethereum', fault: 'revert_next', count: 1 })
  const failed = await unlucky.plan(50)
  await unlucky.submit(failed)
  await unlucky.ended(failed, 'FAILED')

  // A balance that shrinks without a transfer: the part that exceeds the available balance becomes a break.
  const robbed = await wallet('robbed', 'ethereum', 300)
  const held = await robbed.plan(200)
  await robbed.submit(held, 1)
  const node = process.env.ETHEREUM_NODE
  if (!node) throw new Error('ETHEREUM_NODE must be the URL of the embedded node of ethereum')
  const dealt = await fetch(node, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'anvil_dealERC20',
      params: [robbed.account.address, aave('ethereum').tokenAddress, '0x1'],
    }),
  })
  console.log('robbed:', await dealt.text())

  // Treasury: a completed deployment, one that waits for approval, one leased to an agent, and a rejected one.
  await owner.put('/api/core/approval-policy', {
    mode: 'conditional',
    rules: [{ name: 'large', when: { amountAtLeast: '5000' }, then: 'require_approval' }],
    default: 'approve',
    requiredApprovals: 1,
  })
  async function treasury(name: string, blockchain: string, usdc: number) {
    const { account } = keyOf(name)
    const imported = await owner.post('/api/core/org-wallets', { address: account.address, blockchain, label: name })
    const { id } = await owner.post('/api/core/wallets/add-and-monitor', {
      orgWalletId: imported.id,
      bufferAmount: '100',
    })
    await fund(account.address, blockchain, usdc)
    return { account, id }
  }
  const queued = (opWalletId: number, status: string) =>
    waitFor(`${status} of ${opWalletId}`, async () => {
      const { intents } = await owner.get('/api/core/operations/queue')
      return intents.find((one: Json) => one.opWalletId === opWalletId && one.status === status)
    })
  const poll = (leaseDurationMs: number) =>
    waitFor('work for the agent', async () => {
      const answer = await agent.post('/api/agent/transactions/poll', { leaseDurationMs, waitMs: 1_000 })
      return answer.transaction ? answer : undefined
    })
  const deployed = await treasury('deployed', 'polygon', 2_000)
  await waitFor('the deployment', async () => {
    const { transaction, lease } = await agent.post('/api/agent/transactions/poll', {
      leaseDurationMs: 30_000,
      waitMs: 1_000,
    })
    if (transaction) {
      const signedTransaction = await sign(deployed.account, transaction.unsignedTx)
      await agent.post(`/api/agent/transactions/${transaction.id}/broadcast`, {
        signedTransaction,
        leaseToken: lease?.leaseToken ?? transaction.leaseToken,
      })
    }
    const wallets = await owner.get('/api/core/wallets/monitored')
    return wallets.some((one: Json) => one.id === deployed.id && Number(one.deployedBalance) > 1_000)
  })
  const rejected = await treasury('rejected', 'base', 7_000)
  const no = await queued(rejected.id, 'PENDING_APPROVAL')
  await owner.post(`/api/core/operations/${no.id}/reject`, {})
  const pending = await treasury('pending', 'polygon', 9_000)
  const waiting = await queued(pending.id, 'PENDING_APPROVAL')
  await treasury('leased', 'base', 1_500)
  const leased = await poll(600_000)

  // Ramp: a verified customer, a completed payment and a pending one.
  const organization = agent
  await organization.post('/v1/ramp/org/kyb/start')
  await organization.post('/v1/ramp/org/kyb/simulate-approve')
  const recipient = await organization.post('/v1/ramp/recipients', {
    name: 'Ada',
    address: { street1: '1 Main Street', city: 'Springfield' },
  })
  await organization.post(`/v1/ramp/recipients/${recipient.id}/kyb/simulate-approve`)
  await organization.post(`/v1/ramp/recipients/${recipient.id}/onramp-accounts`, {
    destination_wallet_id: saver.walletId,
  })
  const transactions = async () => (await organization.get('/v1/ramp/transactions')).data as Json[]
  const simulate = (body: object) => organization.post(`/v1/ramp/recipients/${recipient.id}/simulate-transaction`, body)
  await simulate({ usd_amount: 20, step_delay_ms: 0 })
  await waitFor('the payment', async () =>
    (await transactions()).some((one) => /complete/i.test(one.state ?? one.status)),
  )
  await simulate({ usd_amount: 30, step_delay_ms: 60_000 })
  await waitFor('the second payment', async () => (await transactions()).length > 1)

  const idempotencyKey = 'a plan that waits'
  const awaiting = await saver.plan(100, { 'idempotency-key': idempotencyKey })
  const quarantined = await wallet('quarantined', 'ethereum', 40)
  const fixture: Omit<UpgradeFixture, 'stoppedAt' | 'secrets' | 'credentials'> = {
    profileApiKey,
    refreshToken: session.refreshToken,
    walletId: saver.walletId,
    supplied: supplied.operationId,
    awaiting: awaiting.operationId,
    idempotencyKey,
    pendingApproval: waiting.id,
    leased: {
      transactionId: leased.transaction.id,
      leaseToken: leased.lease?.leaseToken ?? leased.transaction.leaseToken,
    },
    webhookId: webhook.id,
    quarantinedWalletId: quarantined.walletId,
  }
  writeFileSync(join(dataDir, 'upgrade-fixture.json'), JSON.stringify(fixture))
  // No request can cause a quarantine. Here the chain reports a balance that the ledger cannot store.
  await query(dataDir, async (db) => {
    await db.query(
      `insert into wallets_set_aside (organization_id, wallet_id, blockchain, since, attempts, next_attempt_at, error)
       select organization_id, id, blockchain, now(), 3, now() + interval '10 minutes', 'of the fixture'
       from wallets where id = $1`,
      [quarantined.walletId],
    )
  })
  console.log(fixture)
}

async function query<T>(dataDir: string, work: (db: pg.Client) => Promise<T>): Promise<T> {
  const running = await findRunningPostgres(dataDir)
  const started = running === undefined ? await startEmbeddedPostgres({ dataDir, log: silentLog }) : undefined
  const db = new pg.Client({ connectionString: running ?? started!.url })
  await db.connect()
  try {
    return await work(db)
  } finally {
    await db.end()
    await started?.stop()
  }
}

const compress = (bytes: string | Buffer): Buffer =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
  })

async function dump(dataDir: string): Promise<void> {
  // Each table as PostgreSQL's own text, which keeps every digit of numbers.
  const rows: Record<string, string> = {}
  const sequences: Record<string, string> = {}
  let stoppedAt = ''
  await query(dataDir, async (db) => {
    const tables = await db.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'
       and not (select relispartition from pg_class where oid = tablename::regclass) order by 1`,
    )
    for (const { name } of tables.rows) {
      const found = await db.query(`select coalesce(json_agg(t), '[]')::text as rows from ${name} t`)
      rows[name] = found.rows[0].rows
    }
    const drawn = await db.query(
      `select sequencename as name, last_value::text as value from pg_sequences
       where schemaname = 'public' and last_value is not null order by 1`,
    )
    for (const { name, value } of drawn.rows) sequences[name] = value
    stoppedAt = (await db.query(`select max(updated_at) as at from operations`)).rows[0].at.toISOString()
  })
  const read = (name: string) => readFileSync(join(dataDir, name))
  const folder = {
    ...JSON.parse(read('upgrade-fixture.json').toString()),
    stoppedAt,
    secrets: JSON.parse(read('secrets.json').toString()),
    credentials: JSON.parse(read('sandbox-credentials.json').toString()),
  }
  writeFileSync(new URL('data-folder.json', UPGRADE_FIXTURE), `${JSON.stringify(folder, null, 2)}\n`)
  writeFileSync(new URL('database.json.br', UPGRADE_FIXTURE), compress(JSON.stringify({ sequences, tables: rows })))
  for (const name of ['ethereum.json', 'polygon.json', 'base.json', 'solana.db'])
    writeFileSync(new URL(`${name}.br`, UPGRADE_FIXTURE), compress(read(join('chains', name))))
}

const [command, dataDir] = process.argv.slice(2)
const run = { drive, dump }[command ?? '']
if (!run || !dataDir) throw new Error('usage: write-upgrade-fixture.ts drive|dump DATA_DIR')
await run(dataDir)
