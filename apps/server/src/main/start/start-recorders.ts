import type { Config } from '../../config.ts'
import type { Database } from '../../database/index.ts'
import { KeyErrors, KeyRequests, KeyUsage, SecurityEvents } from '../../identity/index.ts'
import { type Clock, type ClockComparison, type Log, systemRandomSource } from '../../kernel/index.ts'
import { openSecurityEventLog } from '../compose/security-event-sink.ts'
import { attributeToSetting } from './attribute-to-setting.ts'
import type { ShutdownStack } from './shutdown-stack.ts'

interface RecorderParts {
  readonly db: Database
  readonly clock: Clock
  /** The time of the last uses of keys: an agent's last poll, on which an alert depends, is not in the future. */
  readonly clocks: ClockComparison
  readonly log: Log
}

/** What is written in batches behind the requests: the uses of keys, their requests and errors, security events. */
export async function startRecorders(config: Config, { clocks, ...parts }: RecorderParts, stack: ShutdownStack) {
  const usage = new KeyUsage({ ...parts, clock: clocks })
  stack.push('key usage', () => usage.flush())
  const keyErrors = new KeyErrors(parts)
  stack.push('errors of keys', () => keyErrors.flush())
  const keyRequests = new KeyRequests(parts)
  stack.push('requests of keys', () => keyRequests.flush())
  const lines = await attributeToSetting('SECURITY_EVENTS_LOG', () =>
    openSecurityEventLog(config.securityEventsLog, parts.log),
  )
  const securityEvents = new SecurityEvents({ ...parts, random: systemRandomSource, lines })
  stack.push('security events', () => securityEvents.flush({ all: true }))
  return { usage, keyErrors, keyRequests, securityEvents }
}
