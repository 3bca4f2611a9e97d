import { type FileHandle, open } from 'node:fs/promises'
import type { Log } from '../../kernel/index.ts'
import type { AnchorPublisher } from './anchor-audit-heads.ts'

const NEWLINE = 0x0a

/**
 * Appends anchors to a file, a line each, and waits until the line is on the disk. A last line without an end comes
 * from a crash or a full disk during a write: if it starts the same anchor, it is completed; otherwise the anchor
 * begins on a line of its own.
 */
export function fileAnchors(path: string, log: Log): AnchorPublisher {
  return {
    name: 'file',
    async publish({ line }) {
      const file = await open(path, 'a+', 0o600)
      try {
        const written = Buffer.from(`${line}\n`)
        const torn = await unfinishedLine(file, written.length)
        const isSame = torn.length > 0 && written.subarray(0, torn.length).equals(torn)
        const start = torn.length === 0 || isSame ? Buffer.alloc(0) : Buffer.of(NEWLINE)
        await file.appendFile(Buffer.concat([start, isSame ? written.subarray(torn.length) : written]))
        await file.sync()
        // Not before: while the disk is full, each attempt finds the line of the one before.
        if (torn.length > 0)
          log.warn({ path, bytes: torn.length, completed: isSame }, 'the last line of the anchor file was unfinished')
      } finally {
        await file.close()
      }
      return undefined
    },
  }
}

/** The bytes after the last end of a line, at most `limit` of them. */
async function unfinishedLine(file: FileHandle, limit: number): Promise<Buffer> {
  const { size } = await file.stat()
  const length = Math.min(size, limit)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
  const end = buffer.subarray(0, bytesRead)
  return end.subarray(end.lastIndexOf(NEWLINE) + 1)
}
