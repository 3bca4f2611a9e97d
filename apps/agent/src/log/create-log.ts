import { type Logger, pino } from 'pino'
import type { Values } from '../config/settings.ts'
import { prettyLine } from './pretty-line.ts'

/** Lines on stderr, as the service writes them: for people on a terminal, JSON elsewhere, unless a form is set. */
export function createLog({ logLevel, logFormat }: Pick<Values, 'logLevel' | 'logFormat'>): Logger {
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stderr.isTTY)
  return pino(
    { level: logLevel, base: null },
    isPretty
      ? { write: (line: string) => void process.stderr.write(prettyLine(line, process.stderr.isTTY)) }
      : pino.destination({ dest: 2, sync: false }),
  )
}
