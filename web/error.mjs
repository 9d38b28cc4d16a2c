export const STATUS_NAMES = [
  'ok', 'invalid argument', 'invalid model', 'unsupported', 'out of memory', 'io', 'out of range', 'internal',
  'cancelled', 'deadline exceeded',
];

export class MicroRTError extends Error {
  constructor(status, message) {
    super(message || STATUS_NAMES[status] || `status ${status}`);
    this.name = 'MicroRTError';
    this.status = STATUS_NAMES[status] ?? 'internal';
  }
}
