// Also tested elsewhere: a real agent that checks the signatures (apps/agent/system/attacks/signed-approvals.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { enrollPasskey } from '../../../../testing/identity/enroll-factors.ts'
import { credentialOf } from '../../../../testing/identity/identity-fixture.ts'
import {
  type SoftwareAuthenticator,
  softwareAuthenticator,
} from '../../../../testing/identity/software-authenticator.ts'
import { MANUAL_POLICY, setPolicy } from '../../../../testing/rebalancing/operational-wallets.ts'
import { useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { readConfig } from '../../../config.ts'
import { agentTransactionRoutes } from '../agent/transactions.ts'
import { apiKeyRoutes } from '../identity/keys/api-keys.ts'
import { organizationRoutes } from '../identity/organization/organization.ts'
import { allocationMoveRoutes } from '../treasury/allocation-moves.ts'
import { operationalWalletRoutes } from '../treasury/operational-wallets.ts'
import { operationDecisionRoutes } from './decisions.ts'

const treasury = useTreasury((app, parts) => {
  operationalWalletRoutes(app, parts)
  allocationMoveRoutes(app, { ...parts, rebalancing: readConfig({}).rebalancing })
  operationDecisionRoutes(app, parts)
  organizationRoutes(app, parts)
  apiKeyRoutes(app, parts)
  agentTransactionRoutes(app, { ...parts, random: parts.random })
})

type Person = 'owner' | 'admin' | 'approver'
let id: number
let passkeys: Record<Person, SoftwareAuthenticator>

const call = (method: 'GET' | 'POST' | 'PUT', url: string, by: Person, body?: object) =>
  treasury.core.call(method, url, { token: treasury.staff.tokens[by], ...(body === undefined ? {} : { body }) })
const requireSignatures = (required = true) =>
  call('PUT', '/api/core/organization/signed-approvals', 'owner', { required })
const requestOf = async (by: Person, of = id) =>
  (await call('GET', `/api/core/operations/${of}/approval-request`, by)).body.data
const approve = (by: Person, passkey?: object) => call('POST', `/api/core/operations/${id}/approve`, by, { passkey })
const sign = async (by: Person) => approve(by, passkeys[by].get(await requestOf(by).then(({ passkey }) => passkey)))
const refused = (reason: string) => ({ status: 403, body: { code: 'FORBIDDEN', details: { reason } } })

async function enroll(by: Person): Promise<SoftwareAuthenticator> {
  const { parts } = treasury.core
  return (await enrollPasskey(parts, await credentialOf(parts, treasury.staff.tokens[by]))).authenticator
}

async function deploy(opWalletId: number, amount = '100'): Promise<number> {
  const { body } = await call('POST', '/api/v1/allocations', 'admin', { opWalletId, amount, asset: 'USDC' })
  return body.data.operationId
}

beforeEach(async () => {
  await setPolicy(treasury.engine, treasury.staff.organizationId, { ...MANUAL_POLICY, requiredApprovals: 2 })
  passkeys = { owner: await enroll('owner'), admin: softwareAuthenticator(), approver: await enroll('approver') }
  const { opWalletId } = await treasury.operationalWallet('100')
  id = await deploy(opWalletId)
})

test('a member signs the content of the operation, and the agent gets the signatures', async () => {
  expect(await requireSignatures()).toMatchObject({ status: 200, body: { data: { signedApprovals: true } } })
  const { content, text, required, passkey } = await requestOf('approver')
  expect(required).toBe(true)
  expect(content).toMatchObject({ environment: 'sandbox', operationId: id, type: 'SUPPLY', amount: '100000000' })
  expect(text).toContain(`operation: ${id}\n`)
  expect(passkey).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
  expect((await requestOf('admin')).passkey).toBeNull()

  expect((await sign('approver')).body.data).toMatchObject({ status: 'PENDING_APPROVAL', approvals: 1, signed: true })
  expect((await sign('owner')).body.data).toMatchObject({ status: 'EXECUTING', approvals: 2, signed: true })
  const { body } = await call('POST', '/api/core/apikeys/generate', 'owner', { name: 'Agent', permissions: ['agent'] })
  const poll = () => treasury.core.call('POST', '/api/agent/transactions/poll', { key: body.data.apiKey, body: {} })
  const { transaction } = (await poll()).body.data
  expect(transaction.approval.content).toEqual(content)
  const { ids } = treasury.staff
  expect(transaction.approval.signatures).toMatchObject(
    [ids.owner, ids.approver].toSorted((a, b) => a - b).map((userId) => ({ userId })),
  )
  const [details] = await treasury.audited('approveOperation')
  expect(details?.details).toMatchObject({ signed: true })
})

test('without a signature, and with a wrong one, nothing is recorded', async () => {
  await requireSignatures()
  const { passkey } = await requestOf('approver')
  const { challenge } = passkey
  const other = await deploy((await treasury.operationalWallet('100')).opWalletId)
  const wrong: Record<string, object> = {
    'of another operation': passkeys.approver.get((await requestOf('approver', other)).passkey),
    'of a challenge of the attacker': passkeys.approver.get({ challenge: 'A'.repeat(43) }),
    'of another origin': passkeys.approver.get({ challenge, origin: 'https://evil.example' }),
    'of another relying party': passkeys.approver.get({ challenge, rpId: 'evil.example' }),
    'from a foreign frame': passkeys.approver.get({ challenge, crossOrigin: true }),
    'without user verification': passkeys.approver.get({ challenge, isVerified: false }),
    'of a passkey that nobody has': softwareAuthenticator().get({ challenge }),
    'of another member': passkeys.owner.get({ challenge }),
    'made to create a passkey': passkeys.approver.get({ challenge, type: 'webauthn.create' }),
  }
  expect(await approve('approver')).toMatchObject(refused('signature_required'))
  for (const [name, assertion] of Object.entries(wrong))
    expect(await approve('approver', assertion), name).toMatchObject(refused('signature_invalid'))
  const approvals = await treasury.engine.db
    .selectFrom('operation_approvals')
    .select('user_id')
    .where('operation_id', '=', id)
    .execute()
  expect(approvals).toEqual([])
  const copy = passkeys.approver.clone()
  expect((await approve('approver', passkeys.approver.get({ challenge }))).status).toBe(200)
  expect(await approve('approver', copy.get({ challenge })), 'a counter that was used').toMatchObject(
    refused('signature_invalid'),
  )
})

test('approvals given before signatures are required do not count; signing them makes them count', async () => {
  expect((await approve('approver')).body.data).toMatchObject({ approvals: 1, signed: false })
  await requireSignatures()
  expect((await sign('owner')).body.data).toMatchObject({ status: 'PENDING_APPROVAL', approvals: 1 })
  expect((await sign('approver')).body.data).toMatchObject({ status: 'EXECUTING', approvals: 2 })
})

test('an approval that was signed before counts after, and one without a signature counts again if it is switched off', async () => {
  expect((await sign('approver')).body.data).toMatchObject({ approvals: 1, signed: true })
  await requireSignatures()
  await requireSignatures(false)
  expect((await approve('owner')).body.data).toMatchObject({ status: 'EXECUTING', approvals: 2, signed: false })
})

test('the release counts approvals again: the signature of a member who left does not count', async () => {
  await requireSignatures()
  await sign('approver')
  const { db } = treasury.engine
  await db.updateTable('users').set({ role: 'viewer' }).where('id', '=', treasury.staff.ids.approver).execute()
  expect((await sign('owner')).body.data).toMatchObject({ status: 'PENDING_APPROVAL', approvals: 1 })
})
