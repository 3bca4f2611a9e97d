/**
 * `npm run tour:treasury`: wallets with a buffer on every embedded chain, the real agent process, 30 days of yield, a
 * raised buffer, an approval by policy, and the audit log verified. Uses a temporary service in a temporary folder.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { handleHelpFlag } from '../../server/src/main/handle-help-flag.ts'
import { refuseArguments } from '../../server/src/main/refuse-arguments.ts'
import type { Network } from '../../server/tour/client.ts'
import type { Sandbox } from './treasury.ts'

const VERIFY = fileURLToPath(new URL('../../server/src/main/verify-audit.ts', import.meta.url))
handleHelpFlag(`npm run tour:treasury   wallets with a buffer on every embedded chain, the real agent, 30 days of yield, an approval

On a service of its own in a temporary folder; see docs/treasury.md.`)
refuseArguments('npm run tour:treasury')
// Loaded only now: the help and a refusal get their response at once.
const { createClient } = await import('../../server/tour/client.ts')
const { startService } = await import('../../server/tour/service.ts')
const { withProgress } = await import('../../server/tour/with-progress.ts')
const { createCustody } = await import('./custody.ts')
const { logIn } = await import('./people.ts')
const { runTreasury } = await import('./treasury.ts')
const say = (line: string) => console.log(line)

const service = await startService(say)
try {
  const { credentials, folder } = service
  const client = createClient(credentials, say)
  const sandbox: Sandbox = {
    async fund(walletAddress, blockchain, amount) {
      await client.post('/v1/sandbox/faucet', { walletAddress, blockchain, token: 'USDC', amount: amount.toString() })
    },
    async pass(days) {
      const { now } = await withProgress(say, `${days} days to pass on every chain`, () =>
        client.post<{ now: string }>('/v1/sandbox/advance-time', { seconds: days * 86_400 }),
      )
      say(`all chains   it is ${now.slice(0, 10)} by the chains' clock`)
    },
  }
  const networks = await client.get<Network[]>('/v1/sandbox/networks')
  const people = await logIn(credentials)
  const custody = await createCustody(credentials, people, folder)
  await runTreasury({ people, sandbox, custody, networks, say })
  const verified = spawnSync(process.execPath, [VERIFY], {
    env: { PATH: process.env.PATH, DATA_DIR: folder },
    encoding: 'utf8',
  })
  say(`audit log    ${verified.stdout.trim()}${verified.stderr.trim()}`)
  process.exitCode = verified.status ?? 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await service.stop()
}
