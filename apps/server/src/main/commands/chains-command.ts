import { readConfig, requireDataDirectory } from '../../config.ts'
import { createLog } from '../../kernel/index.ts'
import { serveChains } from '../../sandbox/index.ts'
import { attributeToSetting } from '../start/attribute-to-setting.ts'
import { withoutEndpoint } from '../start/start-chains.ts'

/** Serves the embedded chains until SIGINT or SIGTERM. Returns after all of them saved their state. */
export async function runChains(
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
): Promise<void> {
  // Settings of the processes that use the chains, not of this one.
  const config = readConfig({ ...env, CHAINS_FILE: undefined, ROLE: undefined })
  if (config.environment === 'live') throw new Error('SERVICE_ENV: the embedded chains are for the sandbox')
  requireDataDirectory(config.dataDir)
  const ended = Promise.withResolvers<void>()
  // It may be rejected before anything awaits it.
  ended.promise.catch(() => undefined)
  const end = () => ended.resolve()
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  const served = await attributeToSetting('CHAINS_PORT', () =>
    serveChains({
      dataDir: config.dataDir,
      port: config.chainsPort,
      blockchains: withoutEndpoint(config),
      log: createLog(config.logLevel, config.logFormat),
      onExit: (blockchain) => ended.reject(new Error(`the embedded chain ${blockchain} exited unexpectedly`)),
    }),
  )
  try {
    for (const [blockchain, url] of Object.entries(served.content.rpc)) say(`${blockchain} ${url}`)
    say(`chains file: ${served.file}`)
    say(`ready ${served.content.url}`)
    await ended.promise
  } finally {
    await served.stop()
  }
}
