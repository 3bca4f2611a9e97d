/**
 * What shows that a block of the documents is right: a file that reads the page and runs the block or gives it to what
 * reads it, or why nothing does. Blocks that documented-tour.ts sends to a service need no line.
 */
export interface BlockProof {
  readonly page: string
  /** How the block begins; absent: every block of this language on the page. */
  readonly begins?: string
  /** Absent: of any. */
  readonly language?: string
  /** A test, or a trial of `npm run test:deploy`, which names the page. */
  readonly in?: string
  /** Why it is not run as it stands, and what comes near. */
  readonly why?: string
}

const SAMPLES = 'apps/server/system/documents/document-samples.test.ts'
const AGENT_SAMPLES = 'apps/agent/src/documents.test.ts'
const NO_DOCKER =
  'the repository is tested without Docker: the image is built and started by try-image.sh, the services of the compose file by try-compose.ts'
const OUTPUT = 'output with values of one moment; the command beside it is run'

export const BLOCK_PROOFS: readonly BlockProof[] = [
  { page: 'README.md', begins: 'npm start', why: 'the first line is run by try-clone.sh; the second is this test run' },
  { page: 'docs/quick-start.md', begins: 'npm start', in: 'deploy/try/try-clone.sh' },
  {
    page: 'docs/quick-start.md',
    begins: 'sandbox credentials',
    why: `${OUTPUT}, and process.test.ts expects both lines`,
  },
  {
    page: 'docs/quick-start.md',
    begins: 'npm run tour',
    why: 'tours.test.ts in apps/agent/system takes the same tours',
  },
  {
    page: 'CONTRIBUTING.md',
    begins: 'npm start',
    why: 'minutes each, and this test run is one; documents.test.ts checks that the scripts exist',
  },
  { page: 'docs/cli.md', language: '', in: 'apps/cli/src/run.test.ts' },

  { page: 'docs/agent.md', language: 'sh', in: AGENT_SAMPLES },
  { page: 'docs/agent.md', language: 'json', in: AGENT_SAMPLES },
  { page: 'docs/agents-protocol.md', language: 'jsonc', in: AGENT_SAMPLES },
  { page: 'docs/agents-protocol.md', begins: 'weir approval 1', in: AGENT_SAMPLES },
  { page: 'docs/api-keys.md', language: 'json', in: SAMPLES },
  { page: 'docs/apy.md', begins: 'gain =', why: 'a formula for readers' },
  { page: 'docs/approvals.md', language: 'json', in: SAMPLES },
  {
    page: 'docs/approvals.md',
    begins: 'weir calls 1',
    in: 'apps/server/src/operations/approval/planned-calls.test.ts',
  },
  {
    page: 'docs/assistants.md',
    language: 'json',
    why: 'a file of another program; mcp.test.ts starts the same command with the same settings',
  },
  { page: 'docs/audit-log.md', begins: '{"id"', in: SAMPLES },
  { page: 'docs/audit-log.md', begins: '{"format"', in: SAMPLES },
  { page: 'docs/audit-log.md', language: 'js', in: 'apps/server/src/surfaces/core/identity/audit/audit-log.test.ts' },
  { page: 'docs/audit-log.md', begins: 'organization 1: 17 entries', why: OUTPUT },
  { page: 'docs/audit-log.md', begins: '/var/lib/weir/anchors.ndjson', why: OUTPUT },
  { page: 'docs/audit-log.md', begins: 'organization 1: user 4', why: OUTPUT },
  { page: 'docs/audit-log.md', begins: '["weir-audit-1"', why: 'a description; the function below it is run' },
  {
    page: 'docs/benchmarks.md',
    begins: 'chromium --remote-debugging-port',
    why: 'somebody signs in between its lines; the figures beside it were taken with them',
  },
  { page: 'docs/change-requests.md', language: 'json', in: SAMPLES },
  { page: 'docs/decisions/0153-distribution-by-organization.md', language: 'sql', in: SAMPLES },
  { page: 'docs/errors.md', language: 'jsonc', in: SAMPLES },
  { page: 'docs/events.md', language: 'json', in: SAMPLES },
  { page: 'docs/events.md', language: '', in: SAMPLES },
  { page: 'docs/high-availability.md', begins: 'DATABASE_URL', in: SAMPLES },
  { page: 'docs/high-availability.md', begins: 'defaults', in: SAMPLES },
  {
    page: 'docs/high-availability.md',
    begins: 'npm run cluster',
    why: 'ten minutes as root; document-samples.test.ts checks the options',
  },
  { page: 'docs/logs.md', begins: '09:41:07', in: SAMPLES },
  { page: 'docs/logs.md', language: 'json', in: SAMPLES },
  { page: 'docs/mail.md', language: 'sql', in: SAMPLES },
  { page: 'docs/mail.md', begins: 'SMTP_URL', in: SAMPLES },
  { page: 'docs/operating.md', language: 'sql', in: SAMPLES },
  { page: 'docs/operating.md', begins: 'TLS_CERT_FILE', in: SAMPLES },
  {
    page: 'docs/operating.md',
    begins: 'curl -X POST "$BASE/api/core/breaks/$ID/accept"',
    in: 'apps/server/src/surfaces/core/treasury/breaks.test.ts',
  },
  { page: 'docs/operating.md', begins: 'weir breaks accept', in: 'apps/cli/system/cli.test.ts' },
  { page: 'docs/proxies.md', language: 'sh', in: SAMPLES },
  { page: 'docs/ramp-bridge.md', language: 'sh', in: SAMPLES },
  {
    page: 'docs/sandbox.md',
    begins: 'weir chains',
    in: 'apps/server/system/processes/shared-chains.test.ts',
  },
  {
    page: 'docs/risk.md',
    begins: 'curl -X POST "$BASE/api/core/circuit-breakers/accept"',
    in: 'apps/server/src/surfaces/core/treasury/accept-circuit-breaker.test.ts',
  },
  { page: 'docs/secrets.md', language: 'sql', in: SAMPLES },
  { page: 'docs/security-events.md', language: 'json', in: SAMPLES },
  { page: 'docs/sign-in.md', language: 'json', in: SAMPLES },
  { page: 'docs/simulation.md', begins: 'npm run simulate', in: SAMPLES },
  { page: 'docs/simulation.md', begins: 'seed 18', why: OUTPUT },
  { page: 'docs/situations.md', language: 'json', in: SAMPLES },
  { page: 'docs/tracing.md', begins: 'OTEL_EXPORTER', in: SAMPLES },
  { page: 'docs/tracing.md', begins: 'docker compose', why: `${NO_DOCKER}; compose.test.ts merges both files` },
  { page: 'docs/signers.md', begins: 'x-weir-timestamp', why: 'signers.test.ts sends and checks these headers' },
  { page: 'docs/signers.md', language: 'jsonc', why: 'signers.test.ts reads such a body' },
  { page: 'docs/venues.md', begins: 'VENUES_FILE venues[1]', why: 'accept-venues-file.test.ts expects the code' },
  { page: 'docs/venues.md', language: 'json', in: SAMPLES },
  {
    page: 'docs/venues.md',
    language: 'bash',
    why: 'needs a node of Base; check-venues.test.ts runs the command on a chain here',
  },
  { page: 'docs/webhooks.md', language: '', in: SAMPLES },
  { page: 'docs/webhooks.md', language: 'js', in: 'apps/server/system/documents/webhook-receiver.test.ts' },

  { page: 'docs/install.md', begins: 'git fetch', in: 'deploy/releases.test.ts' },
  { page: 'docs/install.md', begins: 'npm run --silent package', in: 'deploy/try/try-package.ts' },
  { page: 'docs/install.md', begins: 'npx', in: 'deploy/try/try-package.ts' },
  { page: 'docs/install.md', begins: 'SERVICE_ENV', in: SAMPLES },
  {
    page: 'docs/install.md',
    begins: 'curl',
    why: 'needs an invitation; try-systemd.sh, try-compose.ts and try-chart.ts register with one, document-blocks.test.ts checks the path',
  },
  { page: 'docs/install-systemd.md', language: 'sh', in: 'deploy/try/try-systemd.sh' },
  { page: 'docs/install-kubernetes.md', language: 'yaml', in: 'deploy/helm/chart.test.ts' },
  {
    page: 'docs/install-kubernetes.md',
    begins: 'kubectl create',
    why: 'there is no cluster here; try-chart.ts runs the pods with the names of this Secret',
  },
  {
    page: 'docs/install-kubernetes.md',
    begins: 'helm',
    why: 'there is no cluster here; chart.test.ts renders with these files, try-chart.ts runs the pods and the invitation',
  },
  { page: 'docs/install-docker.md', language: 'sh', why: NO_DOCKER },
  { page: 'docs/decisions/0181-rewards-are-measured.md', begins: 'gain =', why: 'a formula for readers' },
  { page: 'docs/decisions/0183-vaults-that-keep-losses.md', begins: 'price =', why: 'a formula for readers' },
  { page: 'docs/install-compose.md', begins: 'docker compose', why: NO_DOCKER },
  {
    page: 'docs/install-compose.md',
    begins: 'cd deploy/compose',
    why: 'the operator fills the copies in; try-compose.ts does the same in a folder of its own',
  },

  { page: 'examples/README.md', language: 'sh', in: 'packages/sdk/system/sdk.test.ts' },
  { page: 'packages/sdk/README.md', in: 'packages/sdk/system/packed-client.ts' },
  {
    page: 'packages/devnet/README.md',
    language: 'sh',
    why: 'downloads a compiler; start-evm-chain.test.ts starts what it wrote',
  },
  {
    page: 'packages/devnet/README.md',
    language: 'ts',
    why: 'four more chains for one block; start-evm-chain.test.ts and start-solana-chain.test.ts make the same calls',
  },
]
