#!/bin/sh
as_me=`basename "$0" ||
echo X/"$0" | sed '/^.*\/\([^/][^/]*\)\/*$/{ s//\1/; q; }'`
ac_clean_files=
trap 'exit_status=$?
  rm -f -r conftest* confdefs* conf$$* $ac_clean_files && exit $exit_status' 0
for ac_signal in 1 2 13 15; do trap 'ac_signal='$ac_signal'; exit 1' $ac_signal; done
rm -f -r conftest* confdefs.h
cat >confdefs.h <<_ACEOF
#define PACKAGE "app"
_ACEOF
: ${CONFIG_STATUS=./config.status}
