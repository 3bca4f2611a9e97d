import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ANONYMOUS, type HttpClient, withToken } from '../../../server/system/clients/client.ts'
import {
  type SoftwareAuthenticator,
  softwareAuthenticator,
} from '../../../server/testing/identity/software-authenticator.ts'
import { type TestDatabase, testDatabase } from '../../../server/testing/index.ts'
import { until } from '../../../server/testing/until.ts'
import { type AgentProcess, startAgentProcess } from '../../testing/agent-process.ts'
import { type OperationalWallet, startTreasury, type TreasuryFixture } from '../treasury.ts'

/** Somebody who writes to the service's database, against an agent that checks what people signed. */

const ORIGIN = 'http://localhost:3000'
const PASSWORD = 'a long enough password'

interface Person {
  readonly id: number
  readonly name: string
  readonly http: HttpClient
  readonly authenticator: SoftwareAuthenticator
}
interface Data<T> {
  readonly data: T
}

let database: TestDatabase
let treasury: TreasuryFixture
let ada: Person
let bob: Person
let wallet: OperationalWallet
let settings: Readonly<Record<string, string>>
let agent: AgentProcess | undefined
/** An operation that was approved and signed for real. */
let genuine: number

beforeAll(async () => {
  database = await testDatabase()
  treasury = await startTreasury({ DATABASE_URL: database.url, WEBAUTHN_ORIGINS: ORIGIN })
  ada = await approver('Ada')
  bob = await approver('Bob')
  await signedApprovals()
  settings = await treasury.agent({ APPROVERS: await approversFile([ada, bob]) })
  agent = await startAgentProcess(settings)
  wallet = await treasury.operationalWallet('polygon', await treasury.createWallet('polygon'), 2_000n)
})
afterAll(async () => {
  await agent?.end()
  await treasury?.stop()
  await database?.close()
})

const send = async <T>(http: HttpClient, method: 'POST' | 'PUT', path: string, body?: object): Promise<T> => {
  const { status, body: answer, text } = await http.request<Data<T>>(method, path, body === undefined ? {} : { body })
  expect(status, `${method} ${path} → ${text}`).toBeLessThan(300)
  return answer.data
}

async function addPasskey(http: HttpClient, currentPassword: string): Promise<SoftwareAuthenticator> {
  const authenticator = softwareAuthenticator()
  const factors = '/api/core/auth/factors/passkeys'
  const { challenge } = await send<{ challenge: string }>(http, 'POST', `${factors}/options`, { currentPassword })
  await send(http, 'POST', factors, { name: 'Phone', passkey: authenticator.create({ challenge, origin: ORIGIN }) })
  return authenticator
}

async function approver(name: string): Promise<Person> {
  const member = { email: `${name.toLowerCase()}@weir.example`, password: PASSWORD }
  const { id } = await send<{ id: number }>(treasury.people, 'POST', '/api/core/members', {
    ...member,
    role: 'approver',
  })
  const anyone = treasury.system.as(ANONYMOUS)
  const { accessToken } = await send<{ accessToken: string }>(anyone, 'POST', '/api/core/auth/login', member)
  const http = treasury.system.as(withToken(accessToken))
  return { id, name, http, authenticator: await addPasskey(http, PASSWORD) }
}

/** The owner requires two signatures for every operation. */
async function signedApprovals(): Promise<void> {
  const { people, system } = treasury
  const policy = { mode: 'manual', rules: [], default: 'require_approval', requiredApprovals: 2 }
  await send(people, 'PUT', '/api/core/approval-policy', policy)
  await addPasskey(people, system.credentials.password)
  await send(people, 'PUT', '/api/core/organization/signed-approvals', { required: true })
}

/** The agent's own list, with public keys that its operator got from the approvers. */
async function approversFile(people: readonly Person[]): Promise<string> {
  const approvers = await Promise.all(
    people.map(async ({ name, http }) => {
      const { body } =
        await http.get<Data<{ passkeys: { credentialId: string; publicKey: string }[] }>>('/api/core/auth/factors')
      return { name, passkeys: body.data.passkeys.map(({ credentialId, publicKey }) => ({ credentialId, publicKey })) }
    }),
  )
  const { rows } = await sql<{
    id: number
  }>`select organization_id as id from users where id = ${people[0]!.id}`.execute(database.db)
  const file = {
    version: 1,
    organizationId: rows[0]!.id,
    relyingPartyId: 'localhost',
    origins: [ORIGIN],
    approvers,
    rules: [{ required: 2 }],
  }
  const path = join(treasury.system.dataDir, 'approvers.json')
  await writeFile(path, JSON.stringify(file))
  return path
}

async function approve(id: number, { http, authenticator }: Person): Promise<{ status: string; approvals: number }> {
  const path = `/api/core/operations/${id}`
  const { body } = await http.get<Data<{ passkey: { challenge: string } }>>(`${path}/approval-request`)
  const passkey = authenticator.get({ challenge: body.data.passkey.challenge, origin: ORIGIN })
  return await send(http, 'POST', `${path}/approve`, { passkey })
}

/** A deployment that both approved, while no agent runs. */
async function approved(): Promise<number> {
  await agent?.end()
  agent = undefined
  const id = await treasury.deploy(wallet, '60.00')
  await approve(id, ada)
  expect(await approve(id, bob)).toMatchObject({ status: 'EXECUTING', approvals: 2 })
  return id
}

test('what two people signed is signed by the agent and completes', async () => {
  genuine = await treasury.deploy(wallet, '60.00')
  expect(await approve(genuine, ada)).toMatchObject({ status: 'PENDING_APPROVAL', approvals: 1 })
  expect(await approve(genuine, bob)).toMatchObject({ status: 'EXECUTING', approvals: 2 })
  expect(await treasury.finished(genuine)).toMatchObject({ status: 'COMPLETED' })
})

const own = (id: number, who: Person) => sql`where operation_id = ${id} and user_id = ${who.id}`
const ASSERTION = sql.raw('(credential_id, authenticator_data, client_data, signature)')

const ATTACKS: Readonly<Record<string, (id: number) => Promise<void>>> = {
  // A larger one is never issued: the calls that were approved return less than the venue owes for it.
  'the amount': async (id) => {
    await run(sql`update operations set amount = 59000000 where id = ${id}`)
  },
  'the amount and the calls': async (id) => {
    await run(sql`update operations set amount = 61000000, planned_value = 61000000 where id = ${id}`)
    const [from, to] = [60_000_000, 61_000_000].map((amount) => amount.toString(16))
    await run(sql`update transactions set call = replace(call::text, ${from}, ${to})::jsonb where operation_id = ${id}`)
  },
  'the strategy': async (id) => {
    await run(sql`
      update operations set strategy_id = (
        select other.id from strategies other join strategies this on this.blockchain = other.blockchain
          and this.token = other.token and this.id <> other.id
        where this.id = operations.strategy_id and other.key ~ 'aave|yield|vault' and other.status = 'active'
        order by other.id limit 1
      ) where id = ${id}`)
  },
  'when it was planned': async (id) => {
    await run(sql`update operations set created_at = created_at + interval '1 second' where id = ${id}`)
  },
  'one signature by that of the other person': async (id) => {
    await run(sql`
      update operation_approvals bobs set ${ASSERTION} = (
        select credential_id, authenticator_data, client_data, signature from operation_approvals ${own(id, ada)}
      ) ${own(id, bob)}`)
  },
  'the signatures by those of an operation that completed': async (id) => {
    for (const who of [ada, bob])
      await run(sql`
        update operation_approvals set ${ASSERTION} = (
          select credential_id, authenticator_data, client_data, signature from operation_approvals ${own(genuine, who)}
        ) ${own(id, who)}`)
  },
  'a signature by one of a passkey of the attacker': async (id) => {
    const { rows } = await sql<{
      client_data: Buffer
    }>`select client_data from operation_approvals ${own(id, bob)}`.execute(database.db)
    const { challenge } = JSON.parse(rows[0]!.client_data.toString()) as { challenge: string }
    const { id: credential, response } = softwareAuthenticator().get({ challenge, origin: ORIGIN })
    const bytes = (text: string) => Buffer.from(text, 'base64url')
    await run(sql`
      update operation_approvals set credential_id = ${bytes(credential)}, signature = ${bytes(response.signature)},
        authenticator_data = ${bytes(response.authenticatorData)}, client_data = ${bytes(response.clientDataJSON)}
      ${own(id, bob)}`)
  },
  'an approver by nobody: the approval is deleted': async (id) => {
    await run(sql`delete from operation_approvals ${own(id, bob)}`)
  },
  'an approver by a viewer': async (id) => {
    await run(sql`update users set role = 'viewer' where id = ${bob.id}`)
    expect(id).toBeGreaterThan(0)
  },
}

/** The calls are those that were approved (ADR 164), so the agent sees that the operation names others, before it looks at signatures. */
const REFUSALS: Readonly<Record<string, RegExp>> = {
  'the amount': /WRONG_AMOUNT/,
  'the strategy': /UNKNOWN_VENUE/,
  'the amount and the calls': /APPROVAL_MISSING/,
}

const run = (statement: ReturnType<typeof sql>) => statement.execute(database.db)

test.each(Object.keys(ATTACKS))(
  'the owner of the database replaces %s after the approval: nothing is signed',
  async (name) => {
    const id = await approved()
    const before = await treasury.sent(wallet)
    await ATTACKS[name]!(id)
    agent = await startAgentProcess(settings)
    const operation = await treasury.finished(id)
    await run(sql`update users set role = 'approver' where id = ${bob.id}`)
    expect(operation).toMatchObject({ status: 'FAILED' })
    const refusal = REFUSALS[name] ?? /APPROVAL_MISSING|APPROVAL_EXPIRED/
    expect(JSON.stringify(operation)).toMatch(refusal)
    expect(await treasury.sent(wallet)).toBe(before)
    expect(await until(async () => refusal.test(agent!.log()))).toBe(true)
  },
)

test('a new signature by both is signed again: the refusals left nothing behind', async () => {
  const id = await approved()
  agent = await startAgentProcess(settings)
  expect(await treasury.finished(id)).toMatchObject({ status: 'COMPLETED' })
})
