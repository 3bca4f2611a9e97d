import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Weir } from '../../sdk/src/index.ts'
import { Documents } from './documents.ts'
import { stemOf } from './search-rules.ts'

const dist = new URL('../../../apps/docs/dist/', import.meta.url)
let server: Server
let documents: Documents

beforeAll(async () => {
  const rows = readFileSync(new URL('search.json', dist))
  server = createServer((_request, response) => response.setHeader('content-type', 'application/json').end(rows))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  documents = new Documents(new Weir({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'svc_sandbox_x' }))
})
afterAll(() => server.close())

test('the search finds as the site does', () => {
  const site = readFileSync(new URL('assets/search-rules.js', dist), 'utf8')
  expect(stripTypeScriptTypes(readFileSync(new URL('search-rules.ts', import.meta.url), 'utf8'))).toBe(site)
})

test.each([
  ['settl', ['settle', 'settling', 'settled', 'settlement', 'settlements']],
  ['approv', ['approve', 'approves', 'approving', 'approved', 'approval', 'approvals']],
  ['webhook', ['webhook', 'webhooks']],
  ['cancel', ['cancel', 'cancelled', 'cancelling', 'cancellation']],
  ['polic', ['policies']],
  ['plan', ['planned', 'planning']],
])('the forms of a word have one beginning: %s', (stem, forms) => {
  expect(forms.map(stemOf)).toEqual(forms.map(() => stem))
})

test('what is short, and what is no form, stays', () => {
  const words = ['gas', 'pays', 'key', 'ring', 'need', 'total', 'lens', 'usdc', 'element']
  expect(words.map(stemOf)).toEqual(words)
})

/** Questions in the words of those who ask, and pages that answer: one of them is among the first results. */
test.each([
  // Evaluating.
  ['Can Weir lose my money?', ['faq', 'risk']],
  ['Who holds the private keys?', ['faq', 'architecture', 'concepts']],
  ['How is this different from Fireblocks?', ['comparison']],
  ['How much does it cost?', ['costs']],
  ['Which chains and tokens are supported?', ['faq']],
  ['What happens when the service crashes?', ['faq']],
  ['Has it been audited?', ['faq']],
  ['How fast can I withdraw?', ['faq', 'exits', 'risk']],
  ['Can I leave without you?', ['faq']],
  ['What happens if you disappear?', ['faq']],
  ['Who can steal the money?', ['faq', 'security']],
  ['What does it cost to run for 1,000 wallets?', ['costs', 'sizing']],
  ["Who can upgrade a vault's contract?", ['faq', 'risk']],
  ['Which vaults and addresses does live use?', ['live-venues', 'faq']],
  ['Can I pool several customers in one wallet?', ['faq', 'integrate-v1']],
  ['Does it work with a Safe multisig?', ['faq']],
  ['Does it support ERC-4337 smart accounts?', ['faq']],
  ['Is there support with an SLA?', ['faq']],
  ['Is it SOC 2 or ISO 27001 certified?', ['faq']],
  ['Who pays the gas, is it sponsored?', ['costs']],
  ['Can Weir move money alone?', ['faq']],
  ['Supported stablecoins, chains and protocols', ['faq']],
  ['Is it open source, under which license?', ['faq']],
  ['In which countries does the ramp work?', ['faq', 'ramp']],
  // Integrating.
  ['How do I install @weir/sdk?', ['sdk']],
  ['How do I create a wallet profile?', ['api-keys', 'integrate-v1']],
  ['What is userId for?', ['integrate-v1']],
  ['How do I remove a wallet?', ['faq']],
  ['Which IP addresses do webhooks come from?', ['webhooks']],
  ['What do I do about change_request_cooling_off?', ['errors', 'change-requests']],
  ['Does it work with my MPC wallet?', ['faq', 'signers']],
  ['How do I supply USDC with the API?', ['integrate-v1', 'operations', 'quick-start', 'sdk']],
  ['How do I verify webhook signatures?', ['webhooks']],
  ['How do I make requests idempotent?', ['idempotency']],
  ['Why is my transaction stuck pending?', ['operations', 'agents-protocol', 'integrate-v1']],
  ['How do I test failures in CI?', ['testing']],
  ['How do I test a stuck transaction in the sandbox?', ['testing', 'sandbox']],
  ['Can I use Python?', ['faq', 'integrate-v1']],
  ['How many decimals do amounts have?', ['integrate-v1', 'concepts']],
  ['Idempotent retry after a time-out', ['idempotency']],
  ['Verify a webhook in Go', ['webhooks']],
  ['KYB is pending', ['ramp']],
  ['How do I paginate lists?', ['integrate-v1', 'sdk']],
  ['What are the rate limits?', ['operating']],
  ['How do I convert dollars to USDC?', ['ramp']],
  ['Amount format, string or number', ['integrate-v1']],
  ['How do I get test money?', ['sandbox', 'quick-start']],
  ['How do I make a transaction fail in the sandbox?', ['sandbox', 'testing']],
  ['ethers', ['integrate-v1', 'operations']],
  // Operating.
  ['How do I back up and restore?', ['backup']],
  ['How do I upgrade without downtime?', ['upgrading']],
  ['Which metrics should I alert on?', ['operating', 'runbooks']],
  ['How do I rotate the encryption key?', ['secrets']],
  ['How do I run it on Kubernetes?', ['install-kubernetes']],
  ['What hardware do I need?', ['sizing']],
  ['How do I put nginx in front?', ['proxies']],
  ['A wallet is quarantined, what do I do?', ['runbooks/wallet-quarantined', 'operating']],
  ['Database failover with Patroni', ['high-availability']],
  ['The primary died', ['high-availability']],
  ['The RPC endpoint has no old state', ['runbooks/state-missing']],
  ['How much disk do I need in a year?', ['scaling', 'costs']],
  ['Which version is running?', ['upgrading']],
  ['How do I upgrade PostgreSQL to a new major version?', ['upgrading']],
  ['How do I rotate the database password?', ['secrets']],
  ['Run a command in a container', ['cli']],
  ['Restore an agent after its host was lost', ['backup']],
  ['Which outgoing connections does it open?', ['operating']],
  ['RPO and RTO', ['backup']],
  ['Which PostgreSQL version do I need?', ['operating', 'sizing']],
  ['Required settings for live', ['install']],
  ['Rollback', ['upgrading']],
  ['Kill switch', ['incidents']],
  ['Firewall: which ports and outgoing connections?', ['operating']],
  // Auditing.
  ['Are releases signed?', ['install']],
  ['How do I verify the image?', ['install', 'install-docker']],
  ['What may an admin do?', ['members-and-sessions', 'security']],
  ['Who changed the limits on deposits?', ['risk', 'audit-log']],
  ['How is the ledger reconciled with the chain?', ['concepts', 'guarantees']],
  ['Prove that the books equal the chain on 31 March', ['concepts']],
  ['Who approved this operation?', ['approvals']],
  ['Segregation of duties', ['approvals']],
  ['Evidence that the tests ran', ['guarantees']],
  ['How do I prove that the audit log was not changed?', ['audit-log']],
  ['Who can approve an operation?', ['approvals']],
  ['Which personal data is stored?', ['personal-data']],
  ["How do I delete a customer's data?", ['personal-data']],
  ['What can a stolen API key do?', ['security', 'incidents']],
  ['Which cryptographic algorithms are used?', ['secrets']],
  ['Where is the threat model?', ['threat-model']],
  ['How do I report a vulnerability?', ['security']],
  ['How long are versions supported?', ['upgrading']],
  ['Encryption at rest', ['secrets']],
  ['Export operations and yield of a year for taxes', ['faq']],
  ['SBOM', ['security']],
  // In the words of others.
  ['graceful shutdown', ['operating', 'incidents']],
  ['shutdown', ['operating', 'incidents']],
  ['rollback upgrade', ['upgrading']],
  ['maker checker same person approve', ['approvals']],
  ['webhook order duplicates', ['webhooks']],
  ['chain lag alert metric', ['runbooks/chain-behind', 'metrics']],
  ['retention request logs deliveries', ['operating']],
  ['what happens if weir goes away', ['faq']],
  ['who can see other tenants data', ['faq']],
  ['what licence paid edition', ['faq', 'costs']],
  ['MFA', ['sign-in']],
  ['2FA', ['sign-in']],
  ['multi-tenant', ['faq']],
  ['health check endpoint', ['operating']],
  ['webhook timeout', ['webhooks']],
  ['request size limit', ['operating', 'errors', 'proxies']],
  ['minimum amount', ['integrate-v1', 'errors']],
  ['paging', ['integrate-v1', 'sdk']],
  ['pagination', ['integrate-v1', 'sdk']],
  ['SOC2', ['faq']],
  ['sanctions screening', ['faq']],
  ['air-gapped', ['faq']],
  ['uptime target', ['faq']],
  ['Can I cap exposure to one protocol?', ['risk', 'rebalancing']],
  // In other forms of the words.
  ['approving', ['approvals']],
  ['alerting', ['runbooks']],
  ['monitoring', ['operating']],
  ['installing', ['install']],
  ['signers that I wrote', ['signers']],
  ['rotating keys', ['api-keys']],
  ['verifying signatures', ['webhooks', 'sdk']],
  ['restored backups', ['backup']],
  ['withdrawing', ['exits', 'treasury', 'concepts']],
  ['settlements', ['code-tour', 'glossary']],
])('%s', async (question, pages) => {
  const found = await documents.search(question)
  const names = found.slice(0, 5).map(({ page }) => page)
  expect(
    names.some((name) => pages.includes(name)),
    names.join(', '),
  ).toBe(true)
})
