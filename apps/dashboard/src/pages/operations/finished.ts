export const FINISHED = new Set(['COMPLETED', 'FAILED', 'REJECTED', 'ABORTED'])
