import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDataDir, startProcess } from '../../apps/server/system/processes/service-process.ts'
import { ENDS_ACCESS } from './collection.ts'

/** Bruno's own command line, which weighs 270 MB: npx fetches it when it is needed. */
const BRUNO = '@usebruno/cli@4.1.0'

// Sends the requests of the collection in bruno/ to a sandbox that it starts, by Bruno itself, except those that would
// end its own access. Exits with 1 if a status is not one that the OpenAPI document lists, or is 500.
const folder = await createDataDir()
const service = await startProcess({ DATA_DIR: folder.path, RATE_LIMIT_MULTIPLIER: '1000' })
let code: number | null = 1
try {
  const { email, password, organizationApiKey } = JSON.parse(
    await readFile(join(folder.path, 'sandbox-credentials.json'), 'utf8'),
  ) as Record<string, string>
  const login = await fetch(`${service.url}/api/core/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { accessToken } = ((await login.json()) as { data: { accessToken: string } }).data
  const variables = Object.entries({ baseUrl: service.url, apiKey: organizationApiKey, accessToken })
  const given = variables.flatMap(([name, value]) => ['--env-var', `${name}=${value}`])
  const bruno = spawn(
    'npx',
    ['--yes', BRUNO, 'run', '-r', '--exclude-tags', ENDS_ACCESS, '--env', 'Sandbox', ...given],
    {
      cwd: join(import.meta.dirname, '../../bruno'),
      stdio: 'inherit',
    },
  )
  ;[code] = (await once(bruno, 'close')) as [number | null]
} finally {
  await service.end()
  await folder.remove()
}
process.exit(code ?? 1)
