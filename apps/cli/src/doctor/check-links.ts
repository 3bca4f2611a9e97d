import type { Config } from '../../../server/src/config.ts'
import { checkSmtpServer } from '../../../server/src/mail/index.ts'
import { pingRedis } from '../../../server/src/surfaces/http/limits/ping-redis.ts'
import { type Finding, ok, problem, warning } from './findings.ts'
import { withTimeout } from './with-timeout.ts'

/** Longer than a slow mail server takes to greet. */
const LIMIT_MS = 15_000

/** Checks the mail server and Redis, where they are set, without sending an email or writing a key. */
export async function checkLinks(config: Config, limitMs = LIMIT_MS): Promise<Finding[]> {
  const [mail, redis] = await Promise.all([checkMail(config, limitMs), checkRedis(config, limitMs)])
  return [...mail, ...redis]
}

async function checkMail({ mail: { smtp } }: Config, limitMs: number): Promise<Finding[]> {
  if (smtp === undefined) return []
  const name = `mail server ${smtp.host}:${smtp.port}`
  try {
    await withTimeout(limitMs, checkSmtpServer(smtp))
    return [ok(`${name} accepts the connection${smtp.user === undefined ? '' : ' and the login'}`)]
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    const remedy =
      code === 'EAUTH'
        ? 'correct the user and password in SMTP_URL'
        : 'check SMTP_URL, and that this host can reach the server'
    return [problem(`${name}: ${message}`, remedy)]
  }
}

async function checkRedis({ redisUrl }: Config, limitMs: number): Promise<Finding[]> {
  if (redisUrl === undefined) return []
  const name = `Redis ${new URL(redisUrl).host}`
  try {
    await withTimeout(limitMs, pingRedis(redisUrl))
    return [ok(`${name} responds`)]
  } catch (error) {
    const remedy = 'check REDIS_URL; without Redis, each process counts rate limits by itself'
    return [warning(`${name}: ${(error as Error).message}`, remedy)]
  }
}
