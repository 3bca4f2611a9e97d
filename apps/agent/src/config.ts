import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AllowList, liveAllowList, parseAllowList, RulesError, sandboxAllowList } from '@weir/verify'
import { type Approvers, parseApprovers } from './approvals/index.ts'
import { insecureLinks } from './config/links.ts'
import { SETTINGS, type Setting, type Values } from './config/settings.ts'
import { type Limits, NO_LIMITS, parseLimits } from './limits/index.ts'

/** One line for each invalid setting, starting with its name. `main` prints them without a stack and exits with 1. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

export type SignerConfig =
  | {
      readonly kind: 'keystore'
      readonly dir: string
      readonly passphrase: string
      readonly derivation: 'standard' | 'light'
    }
  | { readonly kind: 'http'; readonly url: string; readonly secret: string }
  | { readonly kind: 'kms'; readonly region: string; readonly endpoint: string | undefined }

type Plain = Pick<
  Values,
  | 'url'
  | 'environment'
  | 'dir'
  | 'journalId'
  | 'leaseMs'
  | 'waitMs'
  | 'concurrency'
  | 'resendMs'
  | 'unknownWallet'
  | 'port'
  | 'host'
  | 'logLevel'
  | 'logFormat'
>

export interface Config extends Plain {
  readonly apiKey: string
  /** The key as its file has it now; the one of the start if the file is gone. */
  readonly freshApiKey: () => string
  readonly allowList: AllowList
  readonly limits: Limits
  /** Unset: the agent signs without approvals of its own. */
  readonly approvers: Approvers | undefined
  readonly signer: SignerConfig
  /** By blockchain: listed chains that have an endpoint. */
  readonly rpcUrls: ReadonlyMap<string, readonly string[]>
}

/** The allow-list alone, to inspect before a key exists. Throws as {@link readConfig} does. */
export function readAllowList(env: Environment): AllowList {
  const problems = new Map<string, string>()
  const values = {
    environment: readOne(SETTINGS.environment, env, problems),
    allowList: readOne(SETTINGS.allowList, env, problems),
  } as Pick<Values, 'allowList' | 'environment'>
  const list = readList(values, (name, sentence) => void problems.set(name, sentence))
  if (problems.size > 0 || list === undefined) throw problemsError(problems)
  return list
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads and checks every setting. An empty string counts as unset. Throws one {@link ConfigError} with a line for each
 * invalid setting.
 */
export function readConfig(env: Environment): Config {
  const problems = new Map<string, string>()
  const entries = Object.entries(SETTINGS).map(([key, setting]) => [key, readOne(setting, env, problems)])
  const values = Object.fromEntries(entries) as Values
  const complain = (name: string, sentence: string): undefined => {
    if (!problems.has(name)) problems.set(name, sentence)
  }
  const apiKey = values.apiKey ?? values.apiKeyFile
  if (apiKey === undefined) complain('WEIR_API_KEY', 'or WEIR_API_KEY_FILE must be set')
  const allowList = readList(values, complain)
  const limits = readRules('LIMITS', values.limits, complain, (json) => allowList && parseLimits(json, allowList))
  const approvers = readRules(
    'APPROVERS',
    values.approvers,
    complain,
    (json) => allowList && parseApprovers(json, allowList),
  )
  const signer = signerOf(values, complain)
  const rpcUrls = rpcUrlsOf(values, allowList)
  if (values.environment === 'live') for (const [name, sentence] of insecureLinks(values)) complain(name, sentence)
  if (rpcUrls.size === 0 && problems.size === 0) {
    complain('ETHEREUM_RPC_URL', 'or another RPC endpoint must be set when AGENT_ENV is live')
  }
  if (problems.size > 0) throw problemsError(problems)
  return {
    ...values,
    apiKey: apiKey!,
    freshApiKey: () => values.apiKey ?? (readOne(SETTINGS.apiKeyFile, env, new Map()) as string | undefined) ?? apiKey!,
    allowList: allowList!,
    limits: limits ?? NO_LIMITS,
    approvers,
    signer: signer!,
    rpcUrls,
  }
}

function problemsError(problems: ReadonlyMap<string, string>): ConfigError {
  return new ConfigError([...problems].map(([name, sentence]) => `${name} ${sentence}`))
}

type Complain = (name: string, sentence: string) => undefined

function readOne(setting: Setting<unknown>, env: Environment, problems: Map<string, string>): unknown {
  const given = env[setting.name] || setting.fallback
  if (given === undefined) return undefined
  try {
    return setting.check(given)
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error)
    problems.set(setting.name, setting.secret ? sentence : `${sentence}, not "${given}"`)
    return undefined
  }
}

function readList(
  { allowList: path, environment }: Pick<Values, 'allowList' | 'environment'>,
  complain: Complain,
): AllowList | undefined {
  if (path === undefined) return environment === 'live' ? liveAllowList : sandboxAllowList
  return readRules('ALLOW_LIST', path, complain, parseAllowList)
}

function readRules<Rules>(
  name: string,
  path: string | undefined,
  complain: Complain,
  parse: (json: unknown) => Rules | undefined,
): Rules | undefined {
  if (path === undefined) return undefined
  try {
    return parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    if (!(error instanceof RulesError || error instanceof SyntaxError)) throw error
    return complain(name, `cannot be used: ${error.message}`)
  }
}

/** 128 random bits in hexadecimal. */
const LIGHT_PASSPHRASE_LENGTH_MIN = 32

function signerOf(values: Values, complain: Complain): SignerConfig | undefined {
  const passphrase = values.passphrase ?? values.passphraseFile
  const secret = values.signerSecret ?? values.signerSecretFile
  switch (values.signer) {
    case 'keystore':
      if (passphrase === undefined) {
        return complain('KEYSTORE_PASSPHRASE', 'or KEYSTORE_PASSPHRASE_FILE must be set when SIGNER is keystore')
      }
      if (values.derivation === 'light' && passphrase.length < LIGHT_PASSPHRASE_LENGTH_MIN) {
        return complain(
          'KEYSTORE_KDF',
          `light protects only a passphrase that nobody can guess: use ${LIGHT_PASSPHRASE_LENGTH_MIN} characters or more, such as from openssl rand -hex 32`,
        )
      }
      return {
        kind: 'keystore',
        passphrase,
        dir: values.keystoreDir ?? join(values.dir ?? '', 'keys'),
        derivation: values.derivation ?? 'standard',
      }
    case 'http':
      if (values.signerUrl === undefined) complain('SIGNER_URL', 'must be set when SIGNER is http')
      if (secret === undefined)
        return complain('SIGNER_SECRET', 'or SIGNER_SECRET_FILE must be set when SIGNER is http')
      return { kind: 'http', url: values.signerUrl!, secret }
    case 'kms':
      if (values.kmsRegion === undefined) return complain('KMS_REGION', 'must be set when SIGNER is kms')
      return { kind: 'kms', region: values.kmsRegion, endpoint: values.kmsEndpoint }
    default:
      return undefined
  }
}

/** In sandbox, the service's own endpoints replace unset ones. */
function rpcUrlsOf(values: Values, allowList: AllowList | undefined): Map<string, readonly string[]> {
  const given: Readonly<Record<string, readonly string[] | undefined>> = {
    ethereum: values.ethereumRpcUrls,
    polygon: values.polygonRpcUrls,
    base: values.baseRpcUrls,
    solana: values.solanaRpcUrls,
  }
  const urls = new Map<string, readonly string[]>()
  for (const { blockchain } of allowList?.chains ?? []) {
    const own = given[blockchain]
    if (own) urls.set(blockchain, own)
    else if (values.environment === 'sandbox') urls.set(blockchain, [`${values.url}/sandbox/rpc/${blockchain}`])
  }
  return urls
}
