// Comes before all scripts of the page under test and keeps what it complains of: not every driver tells that.
window.complaints = [];
const { error: say } = console;
Object.assign(console, {
  error: (...words) => {
    window.complaints.push(`console: ${words.join(' ')}`);
    say(...words);
  },
});
// what does not load is told to its own element only
addEventListener(
  'error',
  ({ message, target }) => window.complaints.push(`error: ${message ?? target.src ?? target.href}`),
  true,
);
addEventListener('unhandledrejection', ({ reason }) => window.complaints.push(`rejection: ${reason}`));
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  window.complaints.push(`policy: ${violatedDirective} ${blockedURI}`),
);
