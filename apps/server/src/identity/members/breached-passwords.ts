import { createHash } from 'node:crypto'
import { request } from 'undici'
import {
  BREACHED_PASSWORDS_BYTES_MAX,
  BREACHED_PASSWORDS_TIMEOUT_MS,
  createOutageLog,
  type Log,
} from '../../kernel/index.ts'
import type { BreachedPasswords } from '../shared/password-rules.ts'

/**
 * A list with the range interface of Have I Been Pwned at `url`. Only the first five digits of the password's SHA-1 leave
 * the service. A password counts as unlisted, with a warning in the log, while the list is unavailable.
 */
export function breachedPasswords({ url, log }: { readonly url: string; readonly log: Log }): BreachedPasswords {
  const outage = createOutageLog(log, {
    away: 'the list of breached passwords is unavailable; new passwords are not checked against it',
    back: 'the list of breached passwords is available again',
  })
  return {
    async has(password) {
      const digest = createHash('sha1').update(password).digest('hex').toUpperCase()
      try {
        const lines = (await readRange(`${url}/${digest.slice(0, 5)}`)).split('\n')
        outage.recovered()
        return lines.some((line) => {
          const [suffix, count] = line.trim().split(':')
          // A padded answer contains suffixes with a count of 0.
          return suffix?.toUpperCase() === digest.slice(5) && count !== '0'
        })
      } catch (error) {
        outage.failed({ err: error })
        return false
      }
    },
  }
}

async function readRange(url: string): Promise<string> {
  const { statusCode, body } = await request(url, {
    headers: { 'add-padding': 'true', 'user-agent': 'weir' },
    signal: AbortSignal.timeout(BREACHED_PASSWORDS_TIMEOUT_MS),
  })
  let text = ''
  for await (const chunk of body.setEncoding('utf8')) {
    text += chunk as string
    if (text.length > BREACHED_PASSWORDS_BYTES_MAX) throw new Error('the answer is too long')
  }
  if (statusCode !== 200) throw new Error(`the status is ${statusCode}`)
  return text
}
