import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Weir } from '../../../packages/sdk/src/index.ts'
import { askFor } from './ask.ts'
import { renewedToken, type Tokens, tokensIn } from './renewed-token.ts'
import { type Shell, UsageError } from './shell.ts'

/** The option that every command for a running service takes. */
export const URL_OPTION = [
  '--url <url>',
  'address of the service; by default WEIR_URL, or the sandbox of DATA_DIR',
] as const

export interface UrlOption {
  readonly url?: string
}

/** A service, and who we are there. */
export interface Connection {
  readonly weir: Weir
  readonly baseUrl: string
  /** The key or token in use. Never printed. */
  readonly credential: string
  /** Whether the credential is a key; otherwise it is the token of a session. */
  readonly isKey: boolean
  /** Ends a session that was opened for this command. */
  close(): Promise<void>
}

interface SandboxCredentials {
  readonly baseUrl: string
  readonly email: string
  readonly password: string
  readonly organizationApiKey: string
}

const LOCAL = 'http://127.0.0.1:3000'

/** Connects with the organization's API key: WEIR_API_KEY, WEIR_API_KEY_FILE, or that of the sandbox. */
export async function connectWithKey(shell: Shell, { url }: UrlOption): Promise<Connection> {
  const sandbox = sandboxCredentials(shell)
  const baseUrl = addressOf(shell, url, sandbox)
  const key = keyOf(shell.env) ?? (sandbox?.baseUrl === baseUrl ? sandbox.organizationApiKey : undefined)
  if (key === undefined) {
    throw new UsageError(
      `there is no credential for ${baseUrl}: set WEIR_API_KEY or WEIR_API_KEY_FILE, or start a sandbox with \`weir start\``,
    )
  }
  return await connect(baseUrl, { apiKey: key })
}

/** Connects as a member: WEIR_ACCESS_TOKEN, or a session that is opened for this command and ended after it. */
export async function connectAsMember(shell: Shell, { url }: UrlOption): Promise<Connection> {
  const sandbox = sandboxCredentials(shell)
  const baseUrl = addressOf(shell, url, sandbox)
  const { WEIR_ACCESS_TOKEN, WEIR_EMAIL, WEIR_PASSWORD } = shell.env
  if (WEIR_ACCESS_TOKEN) return await connect(baseUrl, { accessToken: WEIR_ACCESS_TOKEN })
  const own = sandbox?.baseUrl === baseUrl && !WEIR_EMAIL ? sandbox : undefined
  const email =
    own?.email ??
    (WEIR_EMAIL || (await askFor(shell, { message: 'Email address', instead: 'WEIR_EMAIL or WEIR_ACCESS_TOKEN' })))
  const password =
    own?.password ??
    (WEIR_PASSWORD ||
      (await askFor(shell, {
        message: `Password of ${email}`,
        instead: 'WEIR_PASSWORD or WEIR_ACCESS_TOKEN',
        secret: true,
      })))
  const tokens = await logIn(shell, baseUrl, { email, password })
  const { weir } = await connect(baseUrl, {})
  // One key for each refresh token: a repetition, after the response was lost, is no second use, which would end the
  // session. It returns no tokens, so the member signs in again.
  const renew = async (refreshToken: string) =>
    tokensIn(await weir.core.auth.refresh({ refreshToken }, { idempotencyKey: keyFor(refreshToken) })) ??
    (await logInUnasked(weir, { email, password }))
  const supplied = renewedToken(tokens, renew)
  const connection = await connect(baseUrl, { accessToken: tokens.accessToken, supplied })
  return { ...connection, close: async () => void (await connection.weir.core.auth.logOut().catch(() => undefined)) }
}

async function connect(
  baseUrl: string,
  credential: { readonly apiKey?: string; readonly accessToken?: string; readonly supplied?: () => Promise<string> },
): Promise<Connection> {
  const { Weir } = await import('../../../packages/sdk/src/index.ts')
  const { apiKey, accessToken, supplied = accessToken } = credential
  return {
    weir: new Weir({ baseUrl, ...(apiKey !== undefined && { apiKey }), ...(supplied && { accessToken: supplied }) }),
    baseUrl,
    credential: apiKey ?? accessToken ?? '',
    isKey: apiKey !== undefined,
    close: async () => {},
  }
}

/** Logs in, with a code of the authenticator app if the member has a second factor; returns its tokens. */
async function logIn(
  shell: Shell,
  baseUrl: string,
  account: { readonly email: string; readonly password: string },
): Promise<Tokens> {
  const { weir } = await connect(baseUrl, {})
  const opened = await weir.core.auth.logIn(account)
  if (!('secondFactorRequired' in opened)) return opened as unknown as Tokens
  const { challengeToken } = opened
  const totp = await askFor(shell, { message: 'Code of your authenticator app', instead: 'WEIR_ACCESS_TOKEN' })
  return (await weir.core.auth.completeLogIn({ challengeToken: String(challengeToken), totp })) as unknown as Tokens
}

/** Logs in without asking anybody; `undefined` for a member with a second factor. */
async function logInUnasked(
  weir: Weir,
  account: { readonly email: string; readonly password: string },
): Promise<Tokens | undefined> {
  const opened = await weir.core.auth.logIn(account)
  return 'secondFactorRequired' in opened ? undefined : tokensIn(opened)
}

const keyFor = (refreshToken: string): string => createHash('sha256').update(refreshToken).digest('base64url')

function addressOf(shell: Shell, url: string | undefined, sandbox: SandboxCredentials | undefined): string {
  const given = url ?? (shell.env.WEIR_URL || undefined) ?? sandbox?.baseUrl ?? LOCAL
  if (!/^https?:$/.test(URL.parse(given)?.protocol ?? '')) {
    throw new UsageError(`${given} is not the address of a service, such as https://weir.example.com`)
  }
  return given.replace(/\/+$/, '')
}

function keyOf({ WEIR_API_KEY, WEIR_API_KEY_FILE }: Shell['env']): string | undefined {
  if (WEIR_API_KEY) return WEIR_API_KEY
  if (!WEIR_API_KEY_FILE) return undefined
  try {
    return readFileSync(WEIR_API_KEY_FILE, 'utf8').trim()
  } catch (error) {
    throw new UsageError(`WEIR_API_KEY_FILE cannot be read: ${(error as Error).message}`)
  }
}

/** Those of the sandbox that runs from DATA_DIR. They are sent to its own address only. */
function sandboxCredentials({ env }: Shell): SandboxCredentials | undefined {
  const file = join(env.DATA_DIR || '.data', 'sandbox-credentials.json')
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SandboxCredentials
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`)
  }
}
